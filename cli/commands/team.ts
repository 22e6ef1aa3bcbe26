import { Argument, type Command, Option } from 'commander'
import { USER_STATUS } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import { QUOTA_MAX } from '../../core/input.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { GIVEN_ROLES, type GivenRole, TEAM_ROLES, type TeamRole } from '../../core/teams/team.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { TEAM_COLUMNS, TEAM_INVITE_COLUMNS, TEAM_MEMBER_COLUMNS } from '../columns/team.ts'
import { usageError } from '../errors.ts'
import { idempotencyKey, positiveInt } from '../input/arguments.ts'
import { quotaAmount } from '../output/dollars.ts'
import { runIdempotent } from '../run/run-idempotent.ts'
import { listVerb, noun, pagedVerb, showVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { memberOf, teamOf } from '../teams.ts'
import { teamDeleteKey, teamKeys, teamUpdateKey } from './team/keys.ts'
import { teamStat } from './team/stat.ts'

interface Changes {
  name?: string
  group?: string
  status?: keyof typeof USER_STATUS
}

const ofTeam = (command: Command) => command.argument('<name|id>', 'team name or ID')

export const team = noun('team', [
  pagedVerb({
    name: 'list',
    description: 'List your teams, newest first; administrators see all teams',
    example: 'tollgate team list',
    syntax: (command) =>
      command
        .option('--search <text>', 'filter by part of the name, or by ID')
        .option('--own', 'only teams that you are a member of; for administrators'),
    columns: TEAM_COLUMNS,
    pages({ toolkit, actor }, { search, own }: { search?: string; own?: true }) {
      const query = { ...(search !== undefined && { keyword: search }), ...(own && { own }) }
      return (paging) => toolkit.teams.list(actor, { ...query, ...paging })
    },
    empty: ({ say }) => say`No teams. Create one: tollgate team create <name>`,
  }),
  showVerb({
    name: 'get',
    description: 'Show a team',
    example: 'tollgate team get lab',
    syntax: ofTeam,
    columns: TEAM_COLUMNS,
    record: ({ toolkit, actor }, nameOrId: string) => teamOf(toolkit, actor, nameOrId),
  }),
  verb({
    name: 'create',
    description: 'Create a team, and become its owner',
    example: 'tollgate team create design',
    syntax: (command) => command.argument('<name>', 'up to 30 letters, digits, blanks, ".", "_" and "-"'),
    async run({ cli, toolkit, actor }, name: string) {
      const team = await toolkit.teams.create(actor, { name })
      cli.report(cli.say`Created team ${team.id}, ${team.name}.`, team)
    },
  }),
  verb({
    name: 'update',
    description: 'Update a team; omitted options stay unchanged',
    example: 'tollgate team update lab --group default',
    syntax: (command) =>
      ofTeam(command)
        .option('--name <name>', 'new name')
        .option('--group <group>', 'group of the team; administrators only')
        .addOption(
          new Option('--status <status>', 'status of its keys; administrators only').choices(['enabled', 'disabled']),
        ),
    check({ say }, _nameOrId: string, { name, group, status }: Changes) {
      if (name === undefined && group === undefined && status === undefined) {
        throw usageError(say`nothing to change: pass --name, --group or --status`)
      }
    },
    async run({ cli, toolkit, actor }, nameOrId: string, { name, group, status }: Changes) {
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const team = await toolkit.teams.update(actor, id, {
        ...(name !== undefined && { name }),
        ...(group !== undefined && { group }),
        ...(status !== undefined && { status: USER_STATUS[status] }),
      })
      cli.report(cli.say`Updated team ${team.id}, ${team.name}.`, team)
    },
  }),
  listVerb({
    name: 'members',
    description: 'List the members of a team and their usage',
    example: 'tollgate team members lab',
    syntax: ofTeam,
    columns: TEAM_MEMBER_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.members(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ say }) => say`No members.`,
  }),
  verb({
    name: 'role',
    description: 'Change the role of a member; owner transfers the ownership, and makes the old owner an admin',
    example: 'tollgate team role lab kim admin',
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'username or ID')
        .addArgument(new Argument('<role>', 'new role').choices([...TEAM_ROLES])),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, role: TeamRole) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id: userId, username } = await memberOf(toolkit, actor, { team, member })
      const members =
        role === 'owner'
          ? await toolkit.teams.setOwner(actor, team.id, userId)
          : await toolkit.teams.setRole(actor, team.id, { userId, role })
      cli.report(cli.say`Changed the role of ${username} to ${cli.text(role)} in team ${team.name}.`, members)
    },
  }),
  verb({
    name: 'invite',
    description: 'Create an invite for one user and print its code',
    example: 'tollgate team invite lab --hours 24',
    syntax: (command) =>
      ofTeam(command)
        .addOption(
          new Option('--role <role>', 'role of the user who joins').choices([...GIVEN_ROLES]).default('member'),
        )
        .option('--hours <n>', 'hours until it expires, up to 720', positiveInt, 72),
    async run({ cli, toolkit, actor }, nameOrId: string, { role, hours }: { role: GivenRole; hours: number }) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const invite = await toolkit.teams.invite(actor, team.id, { role, hours })
      if (cli.json) return cli.writeJson(invite)
      cli.note(cli.say`Created invite ${invite.id} for team ${team.name}. One user can join: tollgate team join <code>`)
      cli.write(invite.code ?? '')
    },
  }),
  listVerb({
    name: 'invites',
    description: 'List open invites',
    example: 'tollgate team invites lab',
    syntax: ofTeam,
    columns: TEAM_INVITE_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.invites(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ say }) => say`No open invites. Create one: tollgate team invite <name|id>`,
  }),
  verb({
    name: 'revoke-invite',
    description: 'Revoke an unused invite',
    example: 'tollgate team revoke-invite lab 2',
    syntax: (command) => ofTeam(command).argument('<id>', 'invite ID', positiveInt),
    async run({ cli, toolkit, actor }, nameOrId: string, id: number) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await toolkit.teams.revokeInvite(actor, team.id, id)
      cli.report(cli.say`Revoked invite ${id}.`, { revoked: id })
    },
  }),
  verb({
    name: 'join',
    description: 'Join a team with an invite code',
    example: 'tollgate team join team-abc',
    syntax: (command) => command.argument('<code>', 'invite code, such as team-…'),
    async run({ cli, toolkit, actor }, code: string) {
      const team = await toolkit.teams.get(actor, await toolkit.teams.join(actor, code))
      cli.report(cli.say`Joined team ${team.id}, ${team.name}.`, team)
    },
  }),
  verb({
    name: 'leave',
    description: 'Leave a team; your keys of the team stop working',
    example: 'tollgate team leave lab --yes',
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await cli.confirm(cli.say`Leave team ${team.name} and delete your keys of it?`, { yes })
      await toolkit.teams.leave(actor, team.id)
      cli.report(cli.say`Left team ${team.name}.`, { left: team.id })
    },
  }),
  verb({
    name: 'transfer',
    description: 'Move quota from your balance to a team',
    example: 'tollgate team transfer lab 500000',
    syntax: (command) =>
      ofTeam(command)
        .argument('<quota>', "amount, such as 500000 or '$1'", quotaAmount({ min: 1, max: QUOTA_MAX }))
        .option(
          '--idempotency-key <text>',
          'idempotency key: the amount is moved only once with the same key',
          idempotencyKey,
        ),
    async run({ cli, toolkit, actor }, nameOrId: string, moved: number, flags: { idempotencyKey?: string }) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await runIdempotent(cli, flags.idempotencyKey, (key) => toolkit.teams.transfer(actor, id, moved, key))
      const team = await cli.readBack(() => toolkit.teams.get(actor, id))
      if (!team) return cli.report(cli.say`Moved ${quota(moved)} to team ${name}.`, { moved, quota: null })
      cli.report(cli.say`Moved ${quota(moved)} to team ${name}; its balance is ${quota(team.quota)}.`, {
        moved,
        quota: team.quota,
      })
    },
  }),
  verb({
    name: 'redeem',
    description: 'Redeem a code for a team',
    example: 'tollgate team redeem lab abc',
    syntax: (command) => ofTeam(command).argument('<code>', 'redemption code'),
    async run({ cli, toolkit, actor }, nameOrId: string, code: string) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      const added = await toolkit.teams.redeem(actor, id, code.trim())
      cli.report(cli.say`Team ${name} received ${quota(added)}.`, { added })
    },
  }),
  verb({
    name: 'set-quota',
    description: 'Set the balance of a team; administrators only',
    example: 'tollgate team set-quota lab 5000000',
    syntax: (command) =>
      ofTeam(command).argument(
        '<quota>',
        "new balance, such as 500000 or '$1'",
        quotaAmount({ min: 0, max: QUOTA_MAX }),
      ),
    async run({ cli, toolkit, actor }, nameOrId: string, balance: number) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await toolkit.teams.setQuota(actor, id, balance)
      cli.report(cli.say`Team ${name} now has ${quota(balance)}.`, { id, quota: balance })
    },
  }),
  teamKeys,
  teamUpdateKey,
  teamDeleteKey,
  teamStat,
  pagedVerb({
    name: 'logs',
    description: 'List requests of a team; owner and admins see all, members their own',
    example: 'tollgate team logs lab --requests',
    syntax: (command) =>
      ofTeam(command).option('--member <name|id>', 'filter by member').option('--requests', 'only charged requests'),
    columns: LOG_COLUMNS,
    async pages({ toolkit, actor }, nameOrId: string, { member, requests }: { member?: string; requests?: true }) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const filter = {
        ...(member !== undefined && { memberId: (await memberOf(toolkit, actor, { team, member })).user_id }),
        ...(requests && { type: LOG_TYPE.consumption }),
      }
      return (paging) => toolkit.teams.usage.logs(actor, team.id, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No log rows.`,
  }),
  verb({
    name: 'receipt',
    description: 'Recompute the price of a team request; exit code 1 if it differs',
    example: 'tollgate team receipt lab 20261124093015a1b2c3d4e50000000042',
    syntax: (command) => ofTeam(command).argument('<request-id>', 'request ID, from the reply or the log row'),
    async run({ cli, toolkit, actor }, nameOrId: string, requestId: string) {
      const { showReceipt } = await import('../receipt-view.ts')
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const { receipt } = await toolkit.teams.usage.request(actor, id, requestId)
      if (!receipt) throw new GatewayError('LOG_WITHOUT_RECEIPT', { id: requestId })
      await showReceipt(cli, receipt)
    },
  }),
  verb({
    name: 'remove',
    description: "Remove a member; the member's keys of the team stop working",
    example: 'tollgate team remove lab kim --yes',
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'username or ID')
        .option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id, username } = await memberOf(toolkit, actor, { team, member })
      const question = cli.say`Remove ${username} from team ${team.name}, and delete the member's keys of it?`
      await cli.confirm(question, { yes })
      await toolkit.teams.removeMember(actor, team.id, user_id)
      cli.report(cli.say`Removed ${username} from team ${team.name}.`, { team_id: team.id, user_id })
    },
  }),
  verb({
    name: 'delete',
    description: 'Delete a team: its owner gets the balance, its keys stop working, log rows stay',
    example: 'tollgate team delete lab --yes',
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const { id, name, owner, quota: balance } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await cli.confirm(cli.say`Delete team ${name} and its keys? ${owner} gets its balance of ${quota(balance)}.`, {
        yes,
      })
      const team = await toolkit.teams.delete(actor, id)
      cli.report(cli.say`Deleted team ${id}, ${name}.`, team)
    },
  }),
])
