import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { batchCancel } from './batch/cancel.ts'
import { batchGet } from './batch/get.ts'
import { batchList } from './batch/list.ts'

export function batch(cli: Cli): Command {
  return [batchList, batchGet, batchCancel].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('batch'))
}
