import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function groupDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete groups; who is still in one is refused until they get another')
    .argument('<names...>', 'names of groups; default stays')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate group delete svip --yes')
    .action(async (given: string[], { yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { removeGroups }, { changeTables }] = await Promise.all([
        cli.open(),
        import('../../../core/groups/group-edit.ts'),
        import('../../options/tables.ts'),
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
    })
}
