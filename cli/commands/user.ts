import type { Command } from 'commander'
import type { UserQuery } from '../../core/accounts/accounts.ts'
import { type Action, outcomeOf } from '../../core/accounts/actions.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Paging } from '../../core/input.ts'
import type { Cli } from '../cli.ts'
import { statusWord } from '../columns/user.ts'
import { appended } from '../input/arguments.ts'
import { labelOf, numberOf } from '../input/enum-labels.ts'
import { bulkVerb, type CommandBuilder, type Gateway, noun, pagedVerb, showVerb } from '../run/verbs.ts'
import { userOf } from '../users.ts'
import { userCreate } from './user/create.ts'
import { userDelete } from './user/delete.ts'
import { userPassword } from './user/password.ts'
import { userSetQuota } from './user/set-quota.ts'
import { userUpdate } from './user/update.ts'

interface Filter {
  group?: string
  role?: string
  status?: string
}

/** The API has no status for deleted accounts. */
const DELETED = 0
const STATUS = { ...USER_STATUS, deleted: DELETED }

const list = {
  columns: async () => (await import('../columns/user.ts')).USER_COLUMNS,
  empty: ({ say }: Cli) => say`No such users.`,
}

export const user = noun('user', [
  pagedVerb({
    name: 'list',
    description: 'List users, newest first',
    examples: ['tollgate user list --group default', 'tollgate user list --status disabled --all'],
    syntax: (command) =>
      withFilter(
        command.option('--search <text>', 'only those whose name or mail address contains this, or of this number'),
      ),
    ...list,
    check: (_cli, filter: Filter) => void queryOf(filter),
    pages: (gateway, { search, ...filter }: Filter & { search?: string }) => usersBy(gateway, filter, search),
  }),
  pagedVerb({
    name: 'search',
    description: 'Find users: the same as list --search',
    examples: ['tollgate user search ann'],
    syntax: (command) => withFilter(command.argument('<text>', 'part of a name or mail address, or a number')),
    ...list,
    check: (_cli, _text: string, filter: Filter) => void queryOf(filter),
    pages: (gateway, text: string, filter: Filter) => usersBy(gateway, filter, text),
  }),
  showVerb({
    name: 'get',
    description: 'Show one user',
    examples: ['tollgate user get ann', 'tollgate user get 2 --json'],
    syntax: (command) => command.argument('<name|id>', 'username, or number'),
    columns: list.columns,
    record: ({ toolkit, actor }, nameOrId: string) => userOf(toolkit, actor, nameOrId),
  }),
  userCreate,
  userUpdate,
  userSetQuota,
  userPassword,
  manageVerb({
    action: 'disable',
    description: 'Keep users out: sessions end, and their API keys are refused',
    example: 'tollgate user disable ann',
  }),
  manageVerb({
    action: 'enable',
    description: 'Let users sign in and use their API keys again',
    example: 'tollgate user enable ann',
  }),
  manageVerb({
    action: 'promote',
    description: 'Make users administrators; for root',
    example: 'tollgate user promote ann',
  }),
  manageVerb({
    action: 'demote',
    description: 'Make administrators common users again; for root',
    example: 'tollgate user demote ann carol --keep-going',
  }),
  userDelete,
])

function withFilter(command: Command): Command {
  return command
    .option('--group <name>', 'only those of this group')
    .option('--role <word>', 'only common, admin or root')
    .option('--status <word>', 'only enabled, disabled or deleted (default: all)')
}

/** Throws a usage error for an unknown role or status. */
function queryOf({ group, role, status }: Filter): UserQuery {
  const state = status === undefined ? undefined : numberOf(STATUS, '--status', status)
  return {
    ...(group !== undefined && { group }),
    ...(role !== undefined && { role: numberOf(ROLE, '--role', role) }),
    ...(state !== undefined && (state === DELETED ? { deleted: true } : { status: state })),
  }
}

function usersBy({ toolkit, actor }: Gateway, filter: Filter, keyword: string | undefined) {
  const query = { ...queryOf(filter), ...(keyword !== undefined && { keyword }) }
  return (paging: Paging) => toolkit.accounts.list(actor, { ...query, ...paging })
}

/** A verb that changes the role or the status of users. */
function manageVerb({
  action,
  description,
  example,
}: {
  action: Exclude<Action, 'delete'>
  description: string
  example: string
}): CommandBuilder {
  return bulkVerb({
    name: action,
    description,
    examples: [example],
    argument: ['<name|id...>', 'usernames, or numbers', appended],
    async check({ toolkit, actor }, nameOrId: string) {
      const user = await userOf(toolkit, actor, nameOrId)
      outcomeOf(actor, user, action)
      return user
    },
    act: ({ toolkit, actor }, { id }) => toolkit.accounts.manage(actor, id, action),
    done({ say }, user) {
      const state = action === 'promote' || action === 'demote' ? labelOf(ROLE, user.role) : statusWord(user)
      return say`User ${user.id}, ${user.username}: ${state}.`
    },
  })
}
