import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

export function optionAreas(cli: Cli): Command {
  return withViewFlags(new Command('areas').description('List the areas that options are grouped in'))
    .addHelpText('after', '\nExamples:\n  tollgate option areas\n  tollgate option areas --sort -changed')
    .action(async (flags: Pick<ListFlags, 'columns' | 'sort' | 'output'>) => {
      const [{ toolkit, actor }, { OPTIONS }, columns] = await Promise.all([
        cli.open(),
        import('../../../core/options/registry.ts'),
        import('../../columns/option.ts'),
      ])
      const options = columns.optionRows(await toolkit.options.list(actor))
      const areas = columns.optionAreas().map((area) => {
        const own = options.filter((option) => option.area === area)
        const secrets = Object.values(OPTIONS).filter((option) => option.area === area && option.secret).length
        return { area, options: own.length + secrets, changed: own.filter(({ changed }) => changed).length, secrets }
      })
      await showAll(cli, flags, areas, { columns: columns.OPTION_AREA_COLUMNS, empty: cli.say`There are no options.` })
    })
}
