import type { UserQuery } from '../../core/accounts/accounts.ts'
import { type Action, actionOutcomeOf, checkDeletable } from '../../core/accounts/actions.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Paging } from '../../core/input.ts'
import { defined } from '../../core/records.ts'
import type { Cli } from '../cli.ts'
import { statusWord, USER_COLUMNS } from '../columns/user.ts'
import type { Command } from '../command.ts'
import { usageError } from '../errors.ts'
import { appended, quotaArgument } from '../input/arguments.ts'
import { labelOf, numberOfLabel } from '../input/enum-labels.ts'
import { givenPassword, newPassword, PASSWORD_STDIN, type PasswordFlags, REVOKE_KEYS } from '../input/passwords.ts'
import { generatePassword } from '../root-user.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../run/bulk.ts'
import {
  bulkVerb,
  type CommandBuilder,
  noun,
  pagedVerb,
  plainVerb,
  showVerb,
  type VerbTarget,
  verb,
  YES,
} from '../run/verbs.ts'
import type { TextId } from '../texts.ts'
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

/** Number of the filter value `deleted`. The API has no status for deleted accounts. */
const DELETED = 0
const STATUS = { ...USER_STATUS, deleted: DELETED }

const list = { columns: USER_COLUMNS, empty: ({ t }: Cli) => t('user.noMatchingUsers') }

export const user = noun('user', [
  pagedVerb({
    name: 'list',
    description: 'user.listUsers',
    examples: ['tollgate user list --group default', 'tollgate user list --status disabled --all'],
    syntax: (command) => withFilter(command.option('--search <text>', 'user.filterByPartOfTheName')),
    ...list,
    check: (_cli, filter: Filter) => void queryOf(filter),
    pages: (gateway, { search, ...filter }: Filter & { search?: string }) => usersBy(gateway, filter, search),
  }),
  pagedVerb({
    name: 'search',
    description: 'user.findUsers',
    examples: ['tollgate user search ann'],
    syntax: (command) => withFilter(command.argument('<text>', 'user.partOfANameOrEmail')),
    ...list,
    check: (_cli, _text: string, filter: Filter) => void queryOf(filter),
    pages: (gateway, text: string, filter: Filter) => usersBy(gateway, filter, text),
  }),
  showVerb({
    name: 'get',
    description: 'user.showAUser',
    examples: ['tollgate user get ann', 'tollgate user get 2 --json'],
    syntax: (command) => command.argument('<name|id>', 'user.usernameOrId'),
    columns: list.columns,
    record: ({ toolkit, actor }, nameOrId: string) => userOf(toolkit, actor, nameOrId),
  }),
  plainVerb({
    name: 'create',
    description: 'user.createAUser',
    examples: [
      'tollgate user create bob --quota 5000000',
      'tollgate user create carol --role admin --group vip --json',
    ],
    syntax: (command) =>
      command
        .argument('<username>', 'user.username1To12Characters')
        .option('--password <text>', 'user.password8To20Characters')
        .option(...PASSWORD_STDIN)
        .option('--display-name <text>', 'user.displayNameDefault')
        .option('--role <word>', 'user.commonOrAdminDefault')
        .option('--quota <amount>', 'user.initialBalanceDefault', quotaArgument)
        .option('--group <name>', 'user.groupForChargingDefault'),
    async run(cli, username: string, options: CreateOptions) {
      const { displayName, role, quota, group } = options
      const level =
        role === undefined ? undefined : numberOfLabel({ common: ROLE.common, admin: ROLE.admin }, '--role', role)
      const chosenPassword = await givenPassword(cli, options)
      const password = chosenPassword ?? generatePassword()
      const { toolkit, actor } = await cli.open()
      const created = await toolkit.accounts.create(actor, {
        username,
        password,
        ...defined({ display_name: displayName, role: level, quota, group }),
      })
      if (chosenPassword !== undefined)
        return cli.report(cli.t('user.createdUser', { id: created.id, username: created.username }), created)
      if (cli.json) return cli.writeJson({ ...created, password })
      cli.note(cli.t('user.createdUserTitle', { id: created.id, username: created.username }))
      cli.write(password)
    },
  }),
  plainVerb({
    name: 'update',
    description: 'user.updateAUser',
    examples: ['tollgate user update ann --group vip --display-name "Ann B."'],
    syntax: (command) =>
      command
        .argument('<name|id>', 'user.usernameOrId')
        .option('--username <text>', 'user.newUsername')
        .option('--display-name <text>', 'user.displayName')
        .option('--group <name>', 'user.groupForCharging')
        .option('--quota <amount>', 'user.newBalance', quotaArgument)
        .option('--debt-limit <amount>', 'ledger.maximumDebtOfTheUser', quotaArgument)
        .option(...PASSWORD_STDIN),
    async run(cli, nameOrId: string, { username, displayName, group, quota, debtLimit, passwordStdin }: UpdateOptions) {
      const changes = {
        ...defined({ username, display_name: displayName, group, quota, debt_limit: debtLimit }),
        ...(passwordStdin && { password: await cli.readInput() }),
      }
      if (Object.keys(changes).length === 0) throw usageError(cli.t('user.nothingToChange'))
      if (changes.password === '') throw usageError(cli.t('user.noPasswordOnStdin'))
      const { toolkit, actor } = await cli.open()
      const before = await userOf(toolkit, actor, nameOrId)
      const { id } = before
      await toolkit.accounts.update(actor, { id, ...changes })
      const user = (await cli.readBack(() => toolkit.accounts.get(actor, id))) ?? {
        ...before,
        ...changes,
        password: '',
      }
      cli.report(cli.t('user.updatedUser', { id, username: user.username }), user)
    },
  }),
  userSetQuota,
  plainVerb({
    name: 'password',
    description: 'user.setThePasswordOfAUser',
    examples: ['tollgate user password ann --generate'],
    syntax: (command) =>
      command
        .argument('<name|id>', 'user.usernameOrId')
        .option(...PASSWORD_STDIN)
        .option('--generate', 'user.generateAPassword')
        .option(...REVOKE_KEYS),
    async run(cli, nameOrId: string, { generate, revokeKeys, ...flags }: PasswordOptions) {
      if (generate && flags.passwordStdin) throw usageError(cli.t('user.passEitherGenerateOrPasswordStdin'))
      const { toolkit, actor } = await cli.open()
      const { id, username } = await userOf(toolkit, actor, nameOrId)
      const password = generate ? generatePassword() : await newPassword(cli, flags)
      // The API ignores an empty password.
      if (password === '') throw usageError(cli.t('user.thePasswordIsEmpty'))
      await toolkit.accounts.update(actor, { id, password, ...(revokeKeys && { revoke_keys: true }) })
      if (!generate) return cli.report(cli.t('user.changedThePasswordOfUser', { id, username }), { id, username })
      if (cli.json) return cli.writeJson({ id, username, password })
      cli.note(cli.t('user.changedThePasswordOfUserTitle', { id, username }))
      cli.write(password)
    },
  }),
  manageVerb({ action: 'disable', description: 'user.disableUsers', examples: ['tollgate user disable ann'] }),
  manageVerb({ action: 'enable', description: 'user.enableUsers', examples: ['tollgate user enable ann'] }),
  manageVerb({
    action: 'promote',
    description: 'user.makeUsersAdministrators',
    examples: ['tollgate user promote ann'],
  }),
  manageVerb({
    action: 'demote',
    description: 'user.makeAdministratorsCommonUsers',
    examples: ['tollgate user demote ann carol --keep-going'],
  }),
  verb({
    name: 'delete',
    description: 'user.deleteUsers',
    examples: ['tollgate user delete ann --yes'],
    syntax: (command) =>
      withBulkFlags(
        command
          .argument('<name|id...>', 'user.usernamesOrIDs', appended)
          .option('--for-good', 'user.alsoRemoveTheRow')
          .option(...YES),
      ),
    async run({ cli, toolkit, actor }, names: string[], { yes, forGood, keepGoing }: DeleteOptions) {
      await runBulk(cli, names, {
        keepGoing,
        async check(name) {
          const user = await (forGood ? userOrDeleted : userOf)(toolkit, actor, name)
          if (forGood) checkDeletable(actor, user)
          else actionOutcomeOf(actor, user, 'delete')
          return user
        },
        confirm: (users) => {
          const names = users.map(({ username }) => username).join(', ')
          return cli.confirm(
            forGood
              ? cli.t('user.permanentlyDelete', { names })
              : cli.t('user.deleteThisCannotBeUndone', { files: names }),
            { yes },
          )
        },
        run: async ({ id, username }) => {
          if (forGood) await toolkit.accounts.delete(actor, id)
          else await toolkit.accounts.manage(actor, id, 'delete')
          return { id, username }
        },
        doneText: ({ id, username }) => cli.t('user.deletedUser', { id, username }),
        json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
      })
    },
  }),
])

function withFilter(command: Command): Command {
  return command
    .option('--group <name>', 'user.filterByGroup')
    .option('--role <word>', 'user.filterByRole')
    .option('--status <word>', 'user.filterByStatus')
}

/** Converts filter flags to a query. Throws a usage error for an unknown role or status. */
function queryOf({ group, role, status }: Filter): UserQuery {
  const state = status === undefined ? undefined : numberOfLabel(STATUS, '--status', status)
  return {
    ...(group !== undefined && { group }),
    ...(role !== undefined && { role: numberOfLabel(ROLE, '--role', role) }),
    ...(state !== undefined && (state === DELETED ? { deleted: true } : { status: state })),
  }
}

function usersBy({ toolkit, actor }: VerbTarget, filter: Filter, keyword: string | undefined) {
  const query = { ...queryOf(filter), ...(keyword !== undefined && { keyword }) }
  return (paging: Paging) => toolkit.accounts.list(actor, { ...query, ...paging })
}

/** Returns a verb that changes the role or the status of users. */
function manageVerb({
  action,
  description,
  examples,
}: {
  action: Exclude<Action, 'delete'>
  description: TextId
  examples: readonly string[]
}): CommandBuilder {
  return bulkVerb({
    name: action,
    description,
    examples,
    argument: ['<name|id...>', 'user.usernamesOrIDs', appended],
    async check({ toolkit, actor }, nameOrId: string) {
      const user = await userOf(toolkit, actor, nameOrId)
      actionOutcomeOf(actor, user, action)
      return user
    },
    run: ({ toolkit, actor }, { id }) => toolkit.accounts.manage(actor, id, action),
    doneText({ t }, user) {
      const state = action === 'promote' || action === 'demote' ? labelOf(ROLE, user.role) : statusWord(user)
      return t('user.user', { id: user.id, username: user.username, state })
    },
  })
}
