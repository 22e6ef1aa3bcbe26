import { GROUP_COLUMNS } from '../columns/group.ts'
import { usageError } from '../errors.ts'
import { priceArgument } from '../input/arguments.ts'
import { listVerb, noun, plainVerb, verb, YES, type YesFlag } from '../run/verbs.ts'

interface SetOptions {
  ratio?: number
  description?: string
  usable?: boolean
}

export const group = noun('group', [
  listVerb({
    name: 'list',
    description: 'List groups: all of them for administrators, else those that you may use',
    examples: ['tollgate group list', 'tollgate group list --sort -users'],
    columns: GROUP_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.groups.list(actor),
    empty: ({ say }) => say`There are no groups.`,
  }),
  plainVerb({
    name: 'set',
    description: 'Make a group, or change one; what you leave out stays as it is',
    examples: ['tollgate group set partner --ratio 0.8', 'tollgate group set vip --usable'],
    syntax: (command) =>
      command
        .argument('<name>', 'name of the group')
        .option('--ratio <n>', 'price multiplier: 0.8 is 20 % less, 0 is free (a new group has 1)', priceArgument)
        .option('--description <text>', 'what people read who may choose it; makes it usable')
        .option('--usable', 'everybody may choose it for their API keys')
        .option('--no-usable', 'only who is in it may use it'),
    async run(cli, name: string, { ratio, description, usable }: SetOptions) {
      if (ratio === undefined && description === undefined && usable === undefined) {
        throw usageError(cli.say`give what to change, such as --ratio 0.8`)
      }
      if (usable === false && description !== undefined) {
        throw usageError(cli.say`a group that users cannot choose has no description: omit --description`)
      }
      const [{ toolkit, actor }, { editGroup }, { changeTables }] = await Promise.all([
        cli.open(),
        import('../../core/groups/group-edit.ts'),
        import('../options/tables.ts'),
      ])
      if (!cli.json) await cli.format()
      const edit = { ratio, desc: description, selectable: usable }
      const { changes, created } = await changeTables(toolkit, actor, (values) => editGroup(values, name, edit))
      const group = (await toolkit.groups.list(actor)).find((each) => each.name === name)
      if (!group) throw new Error('a group that was stored is listed')
      if (cli.json) return cli.writeJson(group)
      if (created) cli.note(cli.say`Created the group ${name}.`)
      else if (changes.length === 0) cli.note(cli.say`Nothing changed: the group ${name} is like this already.`)
      else cli.note(cli.say`Changed the group ${name}.`)
      await cli.show(group, { columns: GROUP_COLUMNS })
    },
  }),
  verb({
    name: 'delete',
    description: 'Delete groups; who is still in one is refused until they get another',
    example: 'tollgate group delete svip --yes',
    syntax: (command) => command.argument('<names...>', 'names of groups; default stays').option(...YES),
    async run({ cli, toolkit, actor }, given: string[], { yes }: YesFlag) {
      const [{ removeGroups }, { changeTables }] = await Promise.all([
        import('../../core/groups/group-edit.ts'),
        import('../options/tables.ts'),
      ])
      const names = [...new Set(given)]
      // Rejects missing rights and unknown groups before asking for confirmation.
      removeGroups(await toolkit.options.list(actor), names)
      const groups = (await toolkit.groups.list(actor)).filter(({ name }) => names.includes(name))
      for (const { name, users = 0, tokens = 0, channels = 0 } of groups) {
        if (users + tokens + channels === 0) continue
        cli.note(cli.say`${name} is used by ${users} users, ${tokens} tokens and ${channels} channels.`)
      }
      await cli.confirm(cli.say`Delete ${names.join(', ')}?`, { yes })
      await changeTables(toolkit, actor, (values) => removeGroups(values, names))
      cli.report(cli.say`Deleted ${names.join(', ')}.`, groups)
    },
  }),
])
