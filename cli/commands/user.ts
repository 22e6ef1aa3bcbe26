import type { Command } from 'commander'
import type { UserQuery } from '../../core/accounts/accounts.ts'
import { type Action, checkDeletable, outcomeOf } from '../../core/accounts/actions.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Paging } from '../../core/input.ts'
import type { Cli } from '../cli.ts'
import { statusWord, USER_COLUMNS } from '../columns/user.ts'
import { usageError } from '../errors.ts'
import { appended, quotaArgument } from '../input/arguments.ts'
import { labelOf, numberOf } from '../input/enum-labels.ts'
import { givenPassword, newPassword, PASSWORD_STDIN, type PasswordFlags, REVOKE_KEYS } from '../input/passwords.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../run/bulk.ts'
import {
  bulkVerb,
  type CommandBuilder,
  type Gateway,
  noun,
  pagedVerb,
  plainVerb,
  showVerb,
  verb,
  YES,
} from '../run/verbs.ts'
import { userOf, userOrDeleted } from '../users.ts'
import { userSetQuota } from './user/set-quota.ts'

interface DeleteOptions extends BulkFlags {
  yes?: true
  forGood?: true
}

interface PasswordOptions extends PasswordFlags {
  generate?: true
  revokeKeys?: true
}

interface UpdateOptions {
  username?: string
  displayName?: string
  group?: string
  quota?: number
  debtLimit?: number
  passwordStdin?: true
}

interface CreateOptions extends PasswordFlags {
  displayName?: string
  role?: string
  quota?: number
  group?: string
}

interface Filter {
  group?: string
  role?: string
  status?: string
}

/** The API has no status for deleted accounts. */
const DELETED = 0
const STATUS = { ...USER_STATUS, deleted: DELETED }

const list = {
  columns: USER_COLUMNS,
  empty: ({ say }: Cli) => say`No matching users.`,
}

export const user = noun('user', [
  pagedVerb({
    name: 'list',
    description: 'List users, newest first',
    examples: ['tollgate user list --group default', 'tollgate user list --status disabled --all'],
    syntax: (command) =>
      withFilter(command.option('--search <text>', 'filter by part of the name or email address, or by ID')),
    ...list,
    check: (_cli, filter: Filter) => void queryOf(filter),
    pages: (gateway, { search, ...filter }: Filter & { search?: string }) => usersBy(gateway, filter, search),
  }),
  pagedVerb({
    name: 'search',
    description: 'Find users; same as list --search',
    examples: ['tollgate user search ann'],
    syntax: (command) => withFilter(command.argument('<text>', 'part of a name or email address, or an ID')),
    ...list,
    check: (_cli, _text: string, filter: Filter) => void queryOf(filter),
    pages: (gateway, text: string, filter: Filter) => usersBy(gateway, filter, text),
  }),
  showVerb({
    name: 'get',
    description: 'Show a user',
    examples: ['tollgate user get ann', 'tollgate user get 2 --json'],
    syntax: (command) => command.argument('<name|id>', 'username or ID'),
    columns: list.columns,
    record: ({ toolkit, actor }, nameOrId: string) => userOf(toolkit, actor, nameOrId),
  }),
  plainVerb({
    name: 'create',
    description: 'Create a user',
    examples: [
      'tollgate user create bob --quota 5000000',
      'tollgate user create carol --role admin --group vip --json',
    ],
    syntax: (command) =>
      command
        .argument('<username>', 'username, 1 to 12 characters')
        .option('--password <text>', 'password, 8 to 20 characters (default: generated and printed)')
        .option(...PASSWORD_STDIN)
        .option('--display-name <text>', 'display name, up to 20 characters (default: the username)')
        .option('--role <word>', 'common or admin (default: common)')
        .option('--quota <amount>', 'initial balance (default: the option QuotaForNewUser)', quotaArgument)
        .option('--group <name>', 'group for charging (default: default)'),
    async run(cli, username: string, options: CreateOptions) {
      const { generatePassword } = await import('../root-user.ts')
      const { displayName, role, quota, group } = options
      const level =
        role === undefined ? undefined : numberOf({ common: ROLE.common, admin: ROLE.admin }, '--role', role)
      const given = await givenPassword(cli, options)
      const password = given ?? generatePassword()
      const { toolkit, actor } = await cli.open()
      const created = await toolkit.accounts.create(actor, {
        username,
        password,
        ...(displayName !== undefined && { display_name: displayName }),
        ...(level !== undefined && { role: level }),
        ...(quota !== undefined && { quota }),
        ...(group !== undefined && { group }),
      })
      if (given !== undefined) return cli.report(cli.say`Created user ${created.id}, ${created.username}.`, created)
      if (cli.json) return cli.writeJson({ ...created, password })
      cli.note(cli.say`Created user ${created.id}, ${created.username}. Password, shown only once:`)
      cli.write(password)
    },
  }),
  plainVerb({
    name: 'update',
    description: 'Update a user; omitted options stay unchanged',
    examples: ['tollgate user update ann --group vip --display-name "Ann B."'],
    syntax: (command) =>
      command
        .argument('<name|id>', 'username or ID')
        .option('--username <text>', 'new username, 1 to 12 characters')
        .option('--display-name <text>', 'display name, up to 20 characters')
        .option('--group <name>', 'group for charging')
        .option('--quota <amount>', 'new balance; see also user set-quota', quotaArgument)
        .option('--debt-limit <amount>', 'maximum debt of the user in quota; 0 = none', quotaArgument)
        .option(...PASSWORD_STDIN),
    async run(cli, nameOrId: string, { username, displayName, group, quota, debtLimit, passwordStdin }: UpdateOptions) {
      const changes = {
        ...(username !== undefined && { username }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(group !== undefined && { group }),
        ...(quota !== undefined && { quota }),
        ...(debtLimit !== undefined && { debt_limit: debtLimit }),
        ...(passwordStdin && { password: await cli.readInput() }),
      }
      if (Object.keys(changes).length === 0)
        throw usageError(cli.say`nothing to change: pass an option, such as --group`)
      if (changes.password === '') throw usageError(cli.say`no password on stdin: pipe it to --password-stdin`)
      const { toolkit, actor } = await cli.open()
      const before = await userOf(toolkit, actor, nameOrId)
      const { id } = before
      await toolkit.accounts.update(actor, { id, ...changes })
      const user = (await cli.readBack(() => toolkit.accounts.get(actor, id))) ?? {
        ...before,
        ...changes,
        password: '',
      }
      cli.report(cli.say`Updated user ${id}, ${user.username}.`, user)
    },
  }),
  userSetQuota,
  plainVerb({
    name: 'password',
    description: "Set the password of a user, and end the user's sessions and access token",
    examples: ['tollgate user password ann --generate'],
    syntax: (command) =>
      command
        .argument('<name|id>', 'username or ID')
        .option(...PASSWORD_STDIN)
        .option('--generate', 'generate a password, and print it')
        .option(...REVOKE_KEYS),
    async run(cli, nameOrId: string, { generate, revokeKeys, ...flags }: PasswordOptions) {
      if (generate && flags.passwordStdin)
        throw usageError(cli.say`pass either --generate or --password-stdin, not both`)
      const { generatePassword } = await import('../root-user.ts')
      const { toolkit, actor } = await cli.open()
      const { id, username } = await userOf(toolkit, actor, nameOrId)
      const password = generate ? generatePassword() : await newPassword(cli, flags)
      // The API ignores an empty password.
      if (password === '') throw usageError(cli.say`the password is empty: enter one`)
      await toolkit.accounts.update(actor, { id, password, ...(revokeKeys && { revoke_keys: true }) })
      if (!generate) return cli.report(cli.say`Changed the password of user ${id}, ${username}.`, { id, username })
      if (cli.json) return cli.writeJson({ id, username, password })
      cli.note(cli.say`Changed the password of user ${id}, ${username}. New password, shown only once:`)
      cli.write(password)
    },
  }),
  manageVerb({
    action: 'disable',
    description: 'Disable users: sessions end, and their API keys are rejected',
    example: 'tollgate user disable ann',
  }),
  manageVerb({
    action: 'enable',
    description: 'Enable users: they can sign in and use their API keys',
    example: 'tollgate user enable ann',
  }),
  manageVerb({
    action: 'promote',
    description: 'Make users administrators; root only',
    example: 'tollgate user promote ann',
  }),
  manageVerb({
    action: 'demote',
    description: 'Make administrators common users; root only',
    example: 'tollgate user demote ann carol --keep-going',
  }),
  verb({
    name: 'delete',
    description: 'Delete users: sessions and API keys end; usernames and email addresses stay taken',
    examples: ['tollgate user delete ann --yes'],
    syntax: (command) =>
      withBulkFlags(
        command
          .argument('<name|id...>', 'usernames or IDs', appended)
          .option('--for-good', 'also remove the row, even of users deleted before; frees username and email address')
          .option(...YES),
      ),
    async run({ cli, toolkit, actor }, names: string[], { yes, forGood, keepGoing }: DeleteOptions) {
      await runBulk(cli, names, {
        keepGoing,
        async check(name) {
          const user = await (forGood ? userOrDeleted : userOf)(toolkit, actor, name)
          if (forGood) checkDeletable(actor, user)
          else outcomeOf(actor, user, 'delete')
          return user
        },
        approve: (users) => {
          const who = users.map(({ username }) => username).join(', ')
          return cli.confirm(
            forGood
              ? cli.say`Permanently delete ${who}? Log rows and ledger entries stay.`
              : cli.say`Delete ${who}? This cannot be undone.`,
            { yes },
          )
        },
        run: async ({ id, username }) => {
          if (forGood) await toolkit.accounts.delete(actor, id)
          else await toolkit.accounts.manage(actor, id, 'delete')
          return { id, username }
        },
        done: ({ id, username }) => cli.say`Deleted user ${id}, ${username}.`,
        json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
      })
    },
  }),
])

function withFilter(command: Command): Command {
  return command
    .option('--group <name>', 'filter by group')
    .option('--role <word>', 'filter by role: common, admin or root')
    .option('--status <word>', 'filter by status: enabled, disabled or deleted (default: all)')
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
    argument: ['<name|id...>', 'usernames or IDs', appended],
    async check({ toolkit, actor }, nameOrId: string) {
      const user = await userOf(toolkit, actor, nameOrId)
      outcomeOf(actor, user, action)
      return user
    },
    run: ({ toolkit, actor }, { id }) => toolkit.accounts.manage(actor, id, action),
    done({ say }, user) {
      const state = action === 'promote' || action === 'demote' ? labelOf(ROLE, user.role) : statusWord(user)
      return say`User ${user.id}, ${user.username}: ${state}.`
    },
  })
}
