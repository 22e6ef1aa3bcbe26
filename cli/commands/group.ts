import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { groupDelete } from './group/delete.ts'
import { groupList } from './group/list.ts'
import { groupSet } from './group/set.ts'

export function group(cli: Cli): Command {
  return [groupList, groupSet, groupDelete].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('group'))
}
