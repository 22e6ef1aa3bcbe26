import { Argument } from 'commander'
import { USER_STATUS } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import { QUOTA_MAX } from '../../core/input.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { defined } from '../../core/records.ts'
import { GIVEN_ROLES, type GivenRole, TEAM_ROLES, type TeamRole } from '../../core/teams/team.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { TEAM_COLUMNS, TEAM_INVITE_COLUMNS, TEAM_MEMBER_COLUMNS } from '../columns/team.ts'
import type { Command } from '../command.ts'
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

const ofTeam = (command: Command) => command.argument('<name|id>', 'team.teamNameOrId')

export const team = noun('team', [
  pagedVerb({
    name: 'list',
    description: 'team.listYourTeams',
    examples: ['tollgate team list'],
    syntax: (command) =>
      command.option('--search <text>', 'team.filterByPartOfTheName').option('--own', 'team.onlyTeams'),
    columns: TEAM_COLUMNS,
    pages({ toolkit, actor }, { search, own }: { search?: string; own?: true }) {
      const query = { ...(search !== undefined && { keyword: search }), ...(own && { own }) }
      return (paging) => toolkit.teams.list(actor, { ...query, ...paging })
    },
    empty: ({ t }) => t('team.noTeams'),
  }),
  showVerb({
    name: 'get',
    description: 'team.showATeam',
    examples: ['tollgate team get lab'],
    syntax: ofTeam,
    columns: TEAM_COLUMNS,
    record: ({ toolkit, actor }, nameOrId: string) => teamOf(toolkit, actor, nameOrId),
  }),
  verb({
    name: 'create',
    description: 'team.createATeam',
    examples: ['tollgate team create design'],
    syntax: (command) => command.argument('<name>', 'team.upTo30Letters'),
    async run({ cli, toolkit, actor }, name: string) {
      const team = await toolkit.teams.create(actor, { name })
      cli.report(cli.t('team.createdTeam', { id: team.id, name: team.name }), team)
    },
  }),
  verb({
    name: 'update',
    description: 'team.updateATeam',
    examples: ['tollgate team update lab --group default'],
    syntax: (command) =>
      ofTeam(command)
        .option('--name <name>', 'team.newName')
        .option('--group <group>', 'team.groupOfTheTeam')
        .choice('--status <status>', 'team.statusOfItsKeys', ['enabled', 'disabled']),
    check({ t }, _nameOrId: string, { name, group, status }: Changes) {
      if (name === undefined && group === undefined && status === undefined) throw usageError(t('team.nothingToChange'))
    },
    async run({ cli, toolkit, actor }, nameOrId: string, { name, group, status }: Changes) {
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const team = await toolkit.teams.update(actor, id, {
        ...defined({ name, group }),
        ...(status !== undefined && { status: USER_STATUS[status] }),
      })
      cli.report(cli.t('team.updatedTeam', { id: team.id, name: team.name }), team)
    },
  }),
  listVerb({
    name: 'members',
    description: 'team.listTheMembersOfATeam',
    examples: ['tollgate team members lab'],
    syntax: ofTeam,
    columns: TEAM_MEMBER_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.members(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ t }) => t('team.noMembers'),
  }),
  verb({
    name: 'role',
    description: 'team.changeTheRoleOfAMember',
    examples: ['tollgate team role lab kim admin'],
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'user.usernameOrId')
        .addArgument(new Argument('<role>', command.t('team.newRole')).choices([...TEAM_ROLES])),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, role: TeamRole) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id: userId, username } = await memberOf(toolkit, actor, { team, member })
      const members =
        role === 'owner'
          ? await toolkit.teams.setOwner(actor, team.id, userId)
          : await toolkit.teams.setRole(actor, team.id, { userId, role })
      cli.report(cli.t('team.changedTheRole', { username, role: cli.label(role), name: team.name }), members)
    },
  }),
  verb({
    name: 'invite',
    description: 'team.createAnInviteForOneUser',
    examples: ['tollgate team invite lab --hours 24'],
    syntax: (command) =>
      ofTeam(command)
        .choice('--role <role>', 'team.roleOfTheUserWhoJoins', [...GIVEN_ROLES], 'member')
        .option('--hours <n>', 'team.hoursUntilItExpires', positiveInt, 72),
    async run({ cli, toolkit, actor }, nameOrId: string, { role, hours }: { role: GivenRole; hours: number }) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const invite = await toolkit.teams.invite(actor, team.id, { role, hours })
      if (cli.json) return cli.writeJson(invite)
      cli.note(cli.t('team.createdInviteForTeam', { id: invite.id, name: team.name }))
      cli.write(invite.code ?? '')
    },
  }),
  listVerb({
    name: 'invites',
    description: 'team.listOpenInvites',
    examples: ['tollgate team invites lab'],
    syntax: ofTeam,
    columns: TEAM_INVITE_COLUMNS,
    rows: async ({ toolkit, actor }, nameOrId: string) =>
      toolkit.teams.invites(actor, (await teamOf(toolkit, actor, nameOrId)).id),
    empty: ({ t }) => t('team.noOpenInvites'),
  }),
  verb({
    name: 'revoke-invite',
    description: 'team.revokeAnUnusedInvite',
    examples: ['tollgate team revoke-invite lab 2'],
    syntax: (command) => ofTeam(command).argument('<id>', 'team.inviteId', positiveInt),
    async run({ cli, toolkit, actor }, nameOrId: string, id: number) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await toolkit.teams.revokeInvite(actor, team.id, id)
      cli.report(cli.t('team.revokedInvite', { id }), { revoked: id })
    },
  }),
  verb({
    name: 'join',
    description: 'team.joinATeamWithAnInvite',
    examples: ['tollgate team join team-abc'],
    syntax: (command) => command.argument('<code>', 'team.inviteCode'),
    async run({ cli, toolkit, actor }, code: string) {
      const team = await toolkit.teams.get(actor, await toolkit.teams.join(actor, code))
      cli.report(cli.t('team.joinedTeam', { id: team.id, name: team.name }), team)
    },
  }),
  verb({
    name: 'leave',
    description: 'team.leaveATeam',
    examples: ['tollgate team leave lab --yes'],
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      await cli.confirm(cli.t('team.leaveTeamAndDeleteYourKeys', { name: team.name }), { yes })
      await toolkit.teams.leave(actor, team.id)
      cli.report(cli.t('team.leftTeam', { name: team.name }), { left: team.id })
    },
  }),
  verb({
    name: 'transfer',
    description: 'team.moveQuotaFromYourBalance',
    examples: ['tollgate team transfer lab 500000'],
    syntax: (command) =>
      ofTeam(command)
        .argument('<quota>', 'team.amount', quotaAmount({ min: 1, max: QUOTA_MAX }))
        .option('--idempotency-key <text>', 'wallet.idempotencyKey', idempotencyKey),
    async run({ cli, toolkit, actor }, nameOrId: string, moved: number, flags: { idempotencyKey?: string }) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await runIdempotent(cli, flags.idempotencyKey, (key) => toolkit.teams.transfer(actor, id, moved, key))
      const team = await cli.readBack(() => toolkit.teams.get(actor, id))
      if (!team) return cli.report(cli.t('team.movedToTeam', { moved: quota(moved), name }), { moved, quota: null })
      cli.report(cli.t('team.movedToTeamItsBalance', { moved: quota(moved), name, quota: quota(team.quota) }), {
        moved,
        quota: team.quota,
      })
    },
  }),
  verb({
    name: 'redeem',
    description: 'team.redeemACodeForATeam',
    examples: ['tollgate team redeem lab abc'],
    syntax: (command) => ofTeam(command).argument('<code>', 'wallet.redemptionCode'),
    async run({ cli, toolkit, actor }, nameOrId: string, code: string) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      const added = await toolkit.teams.redeem(actor, id, code.trim())
      cli.report(cli.t('team.teamReceived', { name, added: quota(added) }), { added })
    },
  }),
  verb({
    name: 'set-quota',
    description: 'team.setTheBalanceOfATeam',
    examples: ['tollgate team set-quota lab 5000000'],
    syntax: (command) =>
      ofTeam(command).argument('<quota>', 'team.newBalance', quotaAmount({ min: 0, max: QUOTA_MAX })),
    async run({ cli, toolkit, actor }, nameOrId: string, balance: number) {
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await toolkit.teams.setQuota(actor, id, balance)
      cli.report(cli.t('team.teamNowHas', { name, balance: quota(balance) }), { id, quota: balance })
    },
  }),
  teamKeys,
  teamUpdateKey,
  teamDeleteKey,
  teamStat,
  pagedVerb({
    name: 'logs',
    description: 'team.listRequestsOfATeam',
    examples: ['tollgate team logs lab --requests'],
    syntax: (command) =>
      ofTeam(command)
        .option('--member <name|id>', 'team.filterByMember')
        .option('--requests', 'team.onlyChargedRequests'),
    columns: LOG_COLUMNS,
    async pages({ toolkit, actor }, nameOrId: string, { member, requests }: { member?: string; requests?: true }) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const filter = {
        ...(member !== undefined && { memberId: (await memberOf(toolkit, actor, { team, member })).user_id }),
        ...(requests && { type: LOG_TYPE.consumption }),
      }
      return (paging) => toolkit.teams.usage.logs(actor, team.id, { ...filter, ...paging })
    },
    empty: ({ t }) => t('ui.noLogRows'),
  }),
  verb({
    name: 'receipt',
    description: 'team.recomputeThePriceOfATeam',
    examples: ['tollgate team receipt lab 20261124093015a1b2c3d4e50000000042'],
    syntax: (command) => ofTeam(command).argument('<request-id>', 'team.requestId'),
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
    description: 'team.removeAMember',
    examples: ['tollgate team remove lab kim --yes'],
    syntax: (command) =>
      ofTeam(command)
        .argument('<member>', 'user.usernameOrId')
        .option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, member: string, { yes }: YesFlag) {
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id, username } = await memberOf(toolkit, actor, { team, member })
      const question = cli.t('team.removeFromTeam', { username, name: team.name })
      await cli.confirm(question, { yes })
      await toolkit.teams.removeMember(actor, team.id, user_id)
      cli.report(cli.t('team.removedFromTeam', { username, name: team.name }), { team_id: team.id, user_id })
    },
  }),
  verb({
    name: 'delete',
    description: 'team.deleteATeam',
    examples: ['tollgate team delete lab --yes'],
    syntax: (command) => ofTeam(command).option(...YES),
    async run({ cli, toolkit, actor }, nameOrId: string, { yes }: YesFlag) {
      const { id, name, owner, quota: balance } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await cli.confirm(cli.t('team.deleteTeamAndItsKeys', { name, owner, balance: quota(balance) }), { yes })
      const team = await toolkit.teams.delete(actor, id)
      cli.report(cli.t('team.deletedTeam', { id, name }), team)
    },
  }),
])
