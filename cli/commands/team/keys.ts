import { Option } from 'commander'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { displayedToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import { positiveInt } from '../../input/arguments.ts'
import { pagedVerb, verb, YES, type YesFlag } from '../../run/verbs.ts'
import { memberNames, teamOf } from '../../teams.ts'

type KeyStatus = 'enabled' | 'disabled'

const TEAM = ['<name|id>', 'team.teamNameOrId'] as const

export const teamKeys = pagedVerb({
  name: 'keys',
  description: 'team.listKeysOfATeam',
  examples: ['tollgate team keys lab'],
  syntax: (command) =>
    command
      .note('team.createOne')
      .argument(...TEAM)
      .option('--search <text>', 'token.filterByPartOfTheName'),
  columns: TOKEN_COLUMNS,
  async pages({ toolkit, actor }, nameOrId: string, { search }: { search?: string }) {
    const { id } = await teamOf(toolkit, actor, nameOrId)
    const keyword = search === undefined ? {} : { keyword: search }
    const names = await memberNames(toolkit, actor, id)
    return async (paging) => {
      const keys = await toolkit.teams.keys.list(actor, id, { ...keyword, ...paging })
      const items = keys.items.map((key) => ({ ...displayedToken(key), username: names.get(key.member_id ?? 0) ?? '' }))
      return { ...keys, items }
    }
  },
  empty: ({ t }) => t('team.noKeys'),
})

export const teamUpdateKey = verb({
  name: 'update-key',
  description: 'team.enableOrDisableAKey',
  examples: ['tollgate team update-key lab 2 --status disabled'],
  syntax: (command) =>
    command
      .argument(...TEAM)
      .argument('<id>', 'server.keyId', positiveInt)
      .addOption(
        new Option('--status <status>', command.t('team.newStatus'))
          .choices(['enabled', 'disabled'])
          .makeOptionMandatory(),
      ),
  async run({ cli, toolkit, actor }, nameOrId: string, id: number, { status }: { status: KeyStatus }) {
    const team = await teamOf(toolkit, actor, nameOrId)
    const key = await toolkit.teams.keys.setStatus(actor, team.id, id, TOKEN_STATUS[status])
    cli.report(cli.t('team.updatedKey', { id, name: key.name, status: cli.label(status) }), displayedToken(key))
  },
})

export const teamDeleteKey = verb({
  name: 'delete-key',
  description: 'team.deleteAKeyOfATeam',
  examples: ['tollgate team delete-key lab 2 --yes'],
  syntax: (command) =>
    command
      .argument(...TEAM)
      .argument('<id>', 'server.keyId', positiveInt)
      .option(...YES),
  async run({ cli, toolkit, actor }, nameOrId: string, id: number, { yes }: YesFlag) {
    const team = await teamOf(toolkit, actor, nameOrId)
    const key = await toolkit.teams.keys.get(actor, team.id, id)
    await cli.confirm(cli.t('team.permanentlyDeleteKey', { id, name: key.name, team: team.name }), { yes })
    await toolkit.teams.keys.delete(actor, team.id, id)
    cli.report(cli.t('team.deletedKey', { id, name: key.name }), { deleted: id })
  },
})
