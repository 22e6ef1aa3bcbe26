import { Option } from 'commander'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { displayedToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import { positiveInt } from '../../input/arguments.ts'
import { pagedVerb, verb, YES, type YesFlag } from '../../run/verbs.ts'
import { memberNames, teamOf } from '../../teams.ts'

type KeyStatus = 'enabled' | 'disabled'

const TEAM = ['<name|id>', 'team name or ID'] as const

export const teamKeys = pagedVerb({
  name: 'keys',
  description: 'List keys of a team; owner and admins see all, members their own',
  example: 'tollgate team keys lab\n\nCreate one: tollgate token create <name> --team <name|id>',
  syntax: (command) => command.argument(...TEAM).option('--search <text>', 'filter by part of the name'),
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
  empty: ({ say }) => say`No keys. Create one: tollgate token create <name> --team <name|id>`,
})

export const teamUpdateKey = verb({
  name: 'update-key',
  description: 'Enable or disable a key of a team',
  example: 'tollgate team update-key lab 2 --status disabled',
  syntax: (command) =>
    command
      .argument(...TEAM)
      .argument('<id>', 'key ID', positiveInt)
      .addOption(new Option('--status <status>', 'new status').choices(['enabled', 'disabled']).makeOptionMandatory()),
  async run({ cli, toolkit, actor }, nameOrId: string, id: number, { status }: { status: KeyStatus }) {
    const team = await teamOf(toolkit, actor, nameOrId)
    const key = await toolkit.teams.keys.setStatus(actor, team.id, id, TOKEN_STATUS[status])
    cli.report(cli.say`Updated key ${id}, ${key.name}: ${cli.text(status)}.`, displayedToken(key))
  },
})

export const teamDeleteKey = verb({
  name: 'delete-key',
  description: 'Delete a key of a team permanently',
  example: 'tollgate team delete-key lab 2 --yes',
  syntax: (command) =>
    command
      .argument(...TEAM)
      .argument('<id>', 'key ID', positiveInt)
      .option(...YES),
  async run({ cli, toolkit, actor }, nameOrId: string, id: number, { yes }: YesFlag) {
    const team = await teamOf(toolkit, actor, nameOrId)
    const key = await toolkit.teams.keys.get(actor, team.id, id)
    await cli.confirm(cli.say`Permanently delete key ${id}, ${key.name}, of team ${team.name}?`, { yes })
    await toolkit.teams.keys.delete(actor, team.id, id)
    cli.report(cli.say`Deleted key ${id}, ${key.name}.`, { deleted: id })
  },
})
