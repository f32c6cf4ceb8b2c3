#!/usr/bin/env node
import * as Obstat from "../cli/Obstat.ts"
import * as Process from "../cli/Process.ts"

Process.main(Obstat.run(process.argv.slice(2)))
