import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { logList } from './log/list.ts'
import { logReceipt } from './log/receipt.ts'
import { logStat } from './log/stat.ts'

export function log(cli: Cli): Command {
  return [logList, logStat, logReceipt].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('log'))
}
