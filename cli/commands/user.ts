import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { userCreate } from './user/create.ts'
import { userDelete } from './user/delete.ts'
import { userGet } from './user/get.ts'
import { userList } from './user/list.ts'
import { userAction } from './user/manage.ts'
import { userPassword } from './user/password.ts'
import { userSearch } from './user/search.ts'
import { userSetQuota } from './user/set-quota.ts'
import { userUpdate } from './user/update.ts'

export function user(cli: Cli): Command {
  return [
    userList(cli),
    userSearch(cli),
    userGet(cli),
    userCreate(cli),
    userUpdate(cli),
    userSetQuota(cli),
    userPassword(cli),
    userAction(cli, 'disable'),
    userAction(cli, 'enable'),
    userAction(cli, 'promote'),
    userAction(cli, 'demote'),
    userDelete(cli),
  ].reduce((noun, verb) => noun.addCommand(verb), new Command('user'))
}
