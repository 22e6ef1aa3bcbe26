import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { userCreate } from './user/create.ts'
import { userList } from './user/list.ts'

export function user(cli: Cli): Command {
  return new Command('user').addCommand(userList(cli)).addCommand(userCreate(cli))
}
