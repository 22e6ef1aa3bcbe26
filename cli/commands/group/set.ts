import { usageError } from '../../errors.ts'
import { priceArgument } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  ratio?: number
  description?: string
  usable?: boolean
}

export const groupSet = plainVerb({
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
  async run(cli, name: string, { ratio, description, usable }: Options) {
    if (ratio === undefined && description === undefined && usable === undefined) {
      throw usageError(cli.say`give what to change, such as --ratio 0.8`)
    }
    if (usable === false && description !== undefined) {
      throw usageError(cli.say`a group that users cannot choose has no description: omit --description`)
    }
    const [{ toolkit, actor }, { editGroup }, { changeTables }, { GROUP_COLUMNS }] = await Promise.all([
      cli.open(),
      import('../../../core/groups/group-edit.ts'),
      import('../../options/tables.ts'),
      import('../../columns/group.ts'),
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
})
