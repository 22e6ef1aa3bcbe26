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

const ofTeam = (command: Command) => command.argument('<name|id>', 'name or number of the team')

export const team = noun('team', [
  pagedVerb({
    name: 'list',
    description: 'List your teams, newest first; for administrators all teams',
    example: 'tollgate team list',
    syntax: (command) =>
      command
        .option('--search <text>', 'only teams whose name contains this, or of this number')
        .option('--own', 'for administrators: only teams that you are a member of'),
    columns: TEAM_COLUMNS,
    pages({ toolkit, actor }, { search, own }: { search?: string; own?: true }) {
      const query = { ...(search !== undefined && { keyword: search }), ...(own && { own }) }
      return (paging) => toolkit.teams.list(actor, { ...query, ...paging })
    },
    empty: ({ say }) => say`No teams. Create one: tollgate team create <name>`,
  }),
  showVerb({
    name: 'get',
    description: 'Show one team',
    example: 'tollgate team get lab',
    syntax: ofTeam,
    columns: TEAM_COLUMNS,
    record: ({ toolkit, actor }, nameOrId: string) => teamOf(toolkit, actor, nameOrId),
  }),
  verb({
    name: 'create',
    description: 'Create a team that you own',
    example: 'tollgate team create design',
    syntax: (command) => command.argument('<name>', 'up to 30 letters, digits, blanks, ".", "_" and "-"'),
    async run({ cli, toolkit, actor }, name: string) {
      const team = await toolkit.teams.create(actor, { name })
      cli.report(cli.say`Created team ${team.id}, ${team.name}.`, team)
    },
  }),
  verb({
    name: 'update',
    description: 'Change a team; what is not given stays',
    example: 'tollgate team update lab --group default',
    syntax: (command) =>
      ofTeam(command)
        .option('--name <name>', 'a new name')
        .option('--group <group>', 'group of the team; for administrators')
        .addOption(
          new Option('--status <status>', 'whether its keys work; for administrators').choices(['enabled', 'disabled']),
        ),
    check({ say }, _nameOrId: string, { name, group, status }: Changes) {
      if (name === undefined && group === undefined && status === undefined) {
        throw usageError(say`give what to change: --name, --group or --status`)
      }
    },
    async run({ cli, toolkit, actor }, nameOrId: string, { name, group, status }: Changes) {
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const team = await toolkit.teams.update(actor, id, {
        ...(name !== undefined && { name }),
        ...(group !== undefined && { group }),
        ...(status !== undefined && { status: USER_STATUS[status] }),
      })
      cli.report(cli.say`Changed team ${team.id}, ${team.name}.`, team)
    },
  }),
  listVerb({
    name: 'members',
    description: 'List the members of a team and what their keys have used',
    example: 'tollgate team members lab',
    syntax: ofTeam,
    columns: TEAM_MEMBER_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.members(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ say }) => say`The team has no members.`,
  }),
  verb({
    name: 'role',
    description: 'Give a member another role; owner transfers the ownership, and the old owner becomes an admin',
    example: 'tollgate team role lab kim admin',
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'username, or number')
        .addArgument(new Argument('<role>', 'the new role').choices([...TEAM_ROLES])),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, role: TeamRole) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id: userId, username } = await memberOf(toolkit, actor, { team, member })
      const members =
        role === 'owner'
          ? await toolkit.teams.setOwner(actor, team.id, userId)
          : await toolkit.teams.setRole(actor, team.id, { userId, role })
      cli.report(cli.say`${username} has the role ${cli.text(role)} in team ${team.name}.`, members)
    },
  }),
  verb({
    name: 'invite',
    description: 'Create an invite for one user and print its code',
    example: 'tollgate team invite lab --hours 24',
    syntax: (command) =>
      ofTeam(command)
        .addOption(new Option('--role <role>', 'of the user who joins').choices([...GIVEN_ROLES]).default('member'))
        .option('--hours <n>', 'how long it is valid, up to 720', positiveInt, 72),
    async run({ cli, toolkit, actor }, nameOrId: string, { role, hours }: { role: GivenRole; hours: number }) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const invite = await toolkit.teams.invite(actor, team.id, { role, hours })
      if (cli.json) return cli.writeJson(invite)
      cli.note(cli.say`Invite ${invite.id} to team ${team.name}. One user joins with: tollgate team join <code>`)
      cli.write(invite.code ?? '')
    },
  }),
  listVerb({
    name: 'invites',
    description: 'List invites that can be used',
    example: 'tollgate team invites lab',
    syntax: ofTeam,
    columns: TEAM_INVITE_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.invites(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ say }) => say`No open invites. Create one: tollgate team invite <name|id>`,
  }),
  verb({
    name: 'revoke-invite',
    description: 'Revoke an invite that was not used',
    example: 'tollgate team revoke-invite lab 2',
    syntax: (command) => ofTeam(command).argument('<id>', 'number of the invite', positiveInt),
    async run({ cli, toolkit, actor }, nameOrId: string, id: number) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await toolkit.teams.revokeInvite(actor, team.id, id)
      cli.report(cli.say`Revoked invite ${id}.`, { revoked: id })
    },
  }),
  verb({
    name: 'join',
    description: 'Join a team by an invite code',
    example: 'tollgate team join team-abc',
    syntax: (command) => command.argument('<code>', 'the invite code, such as team-…'),
    async run({ cli, toolkit, actor }, code: string) {
      const team = await toolkit.teams.get(actor, await toolkit.teams.join(actor, code))
      cli.report(cli.say`You are a member of team ${team.id}, ${team.name}.`, team)
    },
  }),
  verb({
    name: 'leave',
    description: 'Leave a team; your keys of the team stop at once',
    example: 'tollgate team leave lab --yes',
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await cli.confirm(cli.say`Leave team ${team.name}? Your keys of the team are deleted.`, { yes })
      await toolkit.teams.leave(actor, team.id)
      cli.report(cli.say`You have left team ${team.name}.`, { left: team.id })
    },
  }),
  verb({
    name: 'transfer',
    description: 'Move quota from your balance to the balance of a team',
    example: 'tollgate team transfer lab 500000',
    syntax: (command) =>
      ofTeam(command)
        .argument('<quota>', "how much, such as 500000 or '$1'", quotaAmount({ min: 1, max: QUOTA_MAX }))
        .option(
          '--idempotency-key <text>',
          'move it once, however often the command is run with this key',
          idempotencyKey,
        ),
    async run({ cli, toolkit, actor }, nameOrId: string, moved: number, flags: { idempotencyKey?: string }) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await runIdempotent(cli, flags.idempotencyKey, (key) => toolkit.teams.transfer(actor, id, moved, key))
      const team = await cli.readBack(() => toolkit.teams.get(actor, id))
      if (!team) return cli.report(cli.say`Moved ${quota(moved)} to team ${name}.`, { moved, quota: null })
      cli.report(cli.say`Moved ${quota(moved)} to team ${name}, which has ${quota(team.quota)}.`, {
        moved,
        quota: team.quota,
      })
    },
  }),
  verb({
    name: 'redeem',
    description: 'Turn a redemption code into quota of a team',
    example: 'tollgate team redeem lab abc',
    syntax: (command) => ofTeam(command).argument('<code>', 'the redemption code'),
    async run({ cli, toolkit, actor }, nameOrId: string, code: string) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      const added = await toolkit.teams.redeem(actor, id, code.trim())
      cli.report(cli.say`Team ${name} got ${quota(added)}.`, { added })
    },
  }),
  verb({
    name: 'set-quota',
    description: 'Set the balance of a team; for administrators',
    example: 'tollgate team set-quota lab 5000000',
    syntax: (command) =>
      ofTeam(command).argument(
        '<quota>',
        "the new balance, such as 500000 or '$1'",
        quotaAmount({ min: 0, max: QUOTA_MAX }),
      ),
    async run({ cli, toolkit, actor }, nameOrId: string, balance: number) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await toolkit.teams.setQuota(actor, id, balance)
      cli.report(cli.say`Team ${name} has ${quota(balance)}.`, { id, quota: balance })
    },
  }),
  teamKeys,
  teamUpdateKey,
  teamDeleteKey,
  teamStat,
  pagedVerb({
    name: 'logs',
    description: 'List what a team has used: your own requests, for owner and admins all',
    example: 'tollgate team logs lab --requests',
    syntax: (command) =>
      ofTeam(command)
        .option('--member <name|id>', 'only requests with the keys of this member')
        .option('--requests', 'only requests that were charged'),
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
    description: 'Compute the price of a request of a team again; exit code 1 when it is not equal',
    example: 'tollgate team receipt lab 20261124093015a1b2c3d4e50000000042',
    syntax: (command) => ofTeam(command).argument('<request-id>', 'as the reply and the log row have it'),
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
    description: 'Remove a member; the keys of the team that the member created stop at once',
    example: 'tollgate team remove lab kim --yes',
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'username, or number')
        .option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id, username } = await memberOf(toolkit, actor, { team, member })
      const question = cli.say`Remove ${username} from team ${team.name}? The member's keys of the team are deleted.`
      await cli.confirm(question, { yes })
      await toolkit.teams.removeMember(actor, team.id, user_id)
      cli.report(cli.say`Removed ${username} from team ${team.name}.`, { team_id: team.id, user_id })
    },
  }),
  verb({
    name: 'delete',
    description: 'Delete a team: its balance goes to its owner, its keys stop, log rows stay',
    example: 'tollgate team delete lab --yes',
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const { id, name, owner, quota: balance } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await cli.confirm(
        cli.say`Delete team ${name}? ${owner} gets its balance of ${quota(balance)}, and its keys are deleted.`,
        { yes },
      )
      const team = await toolkit.teams.delete(actor, id)
      cli.report(cli.say`Deleted team ${id}, ${name}.`, team)
    },
  }),
])
