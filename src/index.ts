// What an agent wants to do
export * as Agent from "./core/call/Agent.ts"
export * as Requester from "./core/call/Requester.ts"
export * as ToolCall from "./core/call/ToolCall.ts"

// What the rules say of it: pure decisions, and the service that sequences them
export * as Analysis from "./core/policy/Analysis.ts"
export * as ConfigIssue from "./core/policy/ConfigIssue.ts"
export * as Decide from "./core/policy/Decide.ts"
export * as Explanation from "./core/policy/Explanation.ts"
export * as Grant from "./core/policy/Grant.ts"
export * as PathFacts from "./core/policy/PathFacts.ts"
export * as Policy from "./core/policy/Policy.ts"
export * as PolicyDocument from "./core/policy/PolicyDocument.ts"
export * as PolicyEngine from "./core/policy/PolicyEngine.ts"
export * as PolicyFile from "./core/policy/PolicyFile.ts"
export * as PolicySource from "./core/policy/PolicySource.ts"
export * as ProjectTrust from "./core/policy/ProjectTrust.ts"
export * as Ruling from "./core/policy/Ruling.ts"

// Who decides what policy leaves open
export * as Authority from "./core/authority/Authority.ts"
export * as AuthorizerLink from "./core/authority/AuthorizerLink.ts"
export * as Decision from "./core/authority/Decision.ts"
export * as LinkDetails from "./core/authority/LinkDetails.ts"
export * as Nobody from "./core/authority/Nobody.ts"
export * as PersonSurface from "./core/authority/PersonSurface.ts"

// What a person, an agent or a log is shown of it
export * as AskBudget from "./core/ask/AskBudget.ts"
export * as AskDialog from "./core/ask/AskDialog.ts"
export * as AskLines from "./core/ask/AskLines.ts"
export * as AskPayload from "./core/ask/AskPayload.ts"
export * as Broadcast from "./core/ask/Broadcast.ts"
export * as Denial from "./core/ask/Denial.ts"
export * as Redaction from "./core/ask/Redaction.ts"
export * as ReviewLog from "./core/ask/ReviewLog.ts"
export * as TerminalText from "./core/ask/TerminalText.ts"

// The agents' own questions
export * as Answer from "./core/question/Answer.ts"
export * as QuestionAnswer from "./core/question/QuestionAnswer.ts"
export * as QuestionDefinition from "./core/question/QuestionDefinition.ts"
export * as QuestionEvent from "./core/question/QuestionEvent.ts"
export * as QuestionFailure from "./core/question/QuestionFailure.ts"
export * as QuestionRequest from "./core/question/QuestionRequest.ts"
export * as Questions from "./core/question/Questions.ts"

// The real agents, in a terminal of ours
export * as Attendance from "./core/session/Attendance.ts"
export * as Session from "./core/session/Session.ts"
export * as SessionError from "./core/session/SessionError.ts"
export * as SessionEvent from "./core/session/SessionEvent.ts"
export * as SessionStatus from "./core/session/SessionStatus.ts"
export * as Sessions from "./core/session/Sessions.ts"
export * as Turn from "./core/session/Turn.ts"

// What another agent or another platform implements
export * as AgentProgram from "./core/session/AgentProgram.ts"
export * as Dialect from "./core/session/Dialect.ts"
export * as Frame from "./core/session/Frame.ts"
export * as HookBridge from "./core/session/HookBridge.ts"
export * as HookFact from "./core/session/HookFact.ts"
export * as Pty from "./core/session/Pty.ts"
export * as Screen from "./core/session/Screen.ts"
export * as ScreenFact from "./core/session/ScreenFact.ts"
export * as TranscriptFact from "./core/session/TranscriptFact.ts"
export * as TranscriptSource from "./core/session/TranscriptSource.ts"
