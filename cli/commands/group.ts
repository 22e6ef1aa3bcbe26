import { listVerb, noun, verb, YES, type YesFlag } from '../run/verbs.ts'
import { groupSet } from './group/set.ts'

export const group = noun('group', [
  listVerb({
    name: 'list',
    description: 'List groups: all of them for administrators, else those that you may use',
    examples: ['tollgate group list', 'tollgate group list --sort -users'],
    columns: async () => (await import('../columns/group.ts')).GROUP_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.groups.list(actor),
    empty: ({ say }) => say`There are no groups.`,
  }),
  groupSet,
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
