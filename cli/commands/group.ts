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
    description: 'List groups; administrators see all, others those that they can use',
    examples: ['tollgate group list', 'tollgate group list --sort -users'],
    columns: GROUP_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.groups.list(actor),
    empty: ({ say }) => say`No groups.`,
  }),
  plainVerb({
    name: 'set',
    description: 'Create or update a group; omitted options stay unchanged',
    examples: ['tollgate group set partner --ratio 0.8', 'tollgate group set vip --usable'],
    syntax: (command) =>
      command
        .argument('<name>', 'group name')
        .option('--ratio <n>', 'price multiplier: 0.8 is 20 % off, 0 is free (new groups: 1)', priceArgument)
        .option('--description <text>', 'description for users who choose it; makes it usable')
        .option('--usable', 'all users can choose it for their tokens')
        .option('--no-usable', 'only its members can use it'),
    async run(cli, name: string, { ratio, description, usable }: SetOptions) {
      if (ratio === undefined && description === undefined && usable === undefined) {
        throw usageError(cli.say`nothing to change: pass an option, such as --ratio 0.8`)
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
      if (created) cli.note(cli.say`Created group ${name}.`)
      else if (changes.length === 0) cli.note(cli.say`Nothing changed: group ${name} already has these values.`)
      else cli.note(cli.say`Updated group ${name}.`)
      await cli.show(group, { columns: GROUP_COLUMNS })
    },
  }),
  verb({
    name: 'delete',
    description: 'Delete groups; requests of their users are rejected until they get another group',
    example: 'tollgate group delete svip --yes',
    syntax: (command) => command.argument('<names...>', 'group names; default cannot be deleted').option(...YES),
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
