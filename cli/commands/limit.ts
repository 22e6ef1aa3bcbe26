import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { limitList } from './limit/list.ts'
import { limitRemove } from './limit/remove.ts'
import { limitSet } from './limit/set.ts'
import { limitStatus } from './limit/status.ts'

export function limit(cli: Cli): Command {
  return [limitList, limitSet, limitRemove, limitStatus].reduce(
    (noun, verb) => noun.addCommand(verb(cli)),
    new Command('limit'),
  )
}
