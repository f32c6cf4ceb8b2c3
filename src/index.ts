export * as Ruling from "./core/policy/Ruling.ts"
