// Adds up the runner's own reports and closes with `N passed, N failed`. A suite without a report, an empty suite
// and a skipped test count as failures of the run.
import { readFileSync } from "node:fs"

const reports = process.argv.slice(2).map((file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    console.error(`no test report: ${file}`)
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  }
})
const sum = (field) => reports.reduce((total, report) => total + report[field], 0)

const skipped = sum("numPendingTests") + sum("numTodoTests")
if (skipped > 0) console.error(`${skipped} skipped`)
if (skipped > 0 || reports.some((report) => report.numPassedTests === 0)) process.exitCode = 1
console.log(`${sum("numPassedTests")} passed, ${sum("numFailedTests")} failed`)
