import type { Group } from '../../core/groups/schema.ts'
import { usageError } from '../errors.ts'
import { priceArgument } from '../input/arguments.ts'
import { changeTables } from '../options/tables.ts'
import type { Column } from '../output/column.ts'
import { listVerb, noun, plainVerb, verb, YES, type YesFlag } from '../run/verbs.ts'

interface SetOptions {
  ratio?: number
  description?: string
  usable?: boolean
}

const countOrDash = (value: number | undefined) => (value === undefined ? '-' : String(value))

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  { name: 'name', value: ({ name }) => name, cut: true },
  { name: 'ratio', value: ({ ratio }) => String(ratio), align: 'right' },
  { name: 'description', value: ({ desc }) => desc || '-', cut: true },
  { name: 'usable', value: ({ selectable }, { t }) => t(selectable ? 'label.everybody' : 'label.members') },
  { name: 'users', value: ({ users }) => countOrDash(users), align: 'right' },
  { name: 'tokens', title: 'keys-of-users', value: ({ tokens }) => countOrDash(tokens), align: 'right' },
  { name: 'channels', value: ({ channels }) => countOrDash(channels), align: 'right' },
]

export const group = noun('group', [
  listVerb({
    name: 'list',
    description: 'pricing.listGroups',
    examples: ['tollgate group list', 'tollgate group list --sort -users'],
    columns: GROUP_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.groups.list(actor),
    empty: ({ t }) => t('pricing.noGroups'),
  }),
  plainVerb({
    name: 'set',
    description: 'pricing.createOrUpdateAGroup',
    examples: ['tollgate group set partner --ratio 0.8', 'tollgate group set vip --usable'],
    syntax: (command) =>
      command
        .argument('<name>', 'pricing.groupName')
        .option('--ratio <n>', 'pricing.priceMultiplier', priceArgument)
        .option('--description <text>', 'pricing.descriptionForUsersWhoChoose')
        .option('--usable', 'pricing.allUsersCanChoose')
        .option('--no-usable', 'pricing.onlyItsMembersCanUseIt'),
    async run(cli, name: string, { ratio, description, usable }: SetOptions) {
      if (ratio === undefined && description === undefined && usable === undefined) {
        throw usageError(cli.t('pricing.nothingToChange'))
      }
      if (usable === false && description !== undefined) throw usageError(cli.t('pricing.aGroupThatUsersCannotChoose'))
      const [{ toolkit, actor }, { editGroup }] = await Promise.all([
        cli.open(),
        import('../../core/groups/group-edit.ts'),
      ])
      if (!cli.json) await cli.format()
      const edit = { ratio, desc: description, selectable: usable }
      const { changes, created } = await changeTables(toolkit, actor, (values) => editGroup(values, name, edit))
      const group = (await toolkit.groups.list(actor)).find((each) => each.name === name)
      if (!group) throw new Error('the list does not contain the stored group')
      if (cli.json) return cli.writeJson(group)
      if (created) cli.note(cli.t('pricing.createdGroup', { name }))
      else if (changes.length === 0) cli.note(cli.t('pricing.nothingChanged', { name }))
      else cli.note(cli.t('pricing.updatedGroup', { name }))
      await cli.show(group, { columns: GROUP_COLUMNS })
    },
  }),
  verb({
    name: 'delete',
    description: 'pricing.deleteGroups',
    examples: ['tollgate group delete svip --yes'],
    syntax: (command) => command.argument('<names...>', 'pricing.groupNames').option(...YES),
    async run({ cli, toolkit, actor }, given: string[], { yes }: YesFlag) {
      const { removeGroups } = await import('../../core/groups/group-edit.ts')
      const names = [...new Set(given)]
      // Rejects missing rights and unknown groups before asking for confirmation.
      removeGroups(await toolkit.options.list(actor), names)
      const groups = (await toolkit.groups.list(actor)).filter(({ name }) => names.includes(name))
      for (const { name, users = 0, tokens = 0, channels = 0 } of groups) {
        if (users + tokens + channels === 0) continue
        cli.note(cli.t('pricing.isUsedByUsers', { name, users, tokens, channels }))
      }
      await cli.confirm(cli.t('pricing.delete', { names: names.join(', ') }), { yes })
      await changeTables(toolkit, actor, (values) => removeGroups(values, names))
      cli.report(cli.t('token.deleted', { names: names.join(', ') }), groups)
    },
  }),
])
