import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { logArchive } from './log/archive.ts'
import { logClear } from './log/clear.ts'
import { logExport } from './log/export.ts'
import { logGet } from './log/get.ts'
import { logList } from './log/list.ts'
import { logReceipt } from './log/receipt.ts'
import { logSearch } from './log/search.ts'
import { logStat } from './log/stat.ts'
import { logTail } from './log/tail.ts'
import { logTrace } from './log/trace.ts'

const VERBS = [logList, logSearch, logGet, logTail, logTrace, logStat, logReceipt, logExport, logArchive, logClear]

export function log(cli: Cli): Command {
  return VERBS.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('log'))
}
