import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

export function optionList(cli: Cli): Command {
  return new Command('list')
    .description('List options and their values; secrets are never listed')
    .option('--area <word>', 'only those of one area, such as quota, ratio or login')
    .addHelpText('after', '\nExample:\n  tollgate option list --area quota')
    .action(async ({ area }: { area?: string }) => {
      const [{ toolkit, actor }, { findOption, OPTIONS }, { OPTION_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../../core/options/registry.ts'),
        import('../../columns/option.ts'),
      ])
      const areas = [...new Set(Object.values(OPTIONS).map((option) => String(option.area)))]
      if (area !== undefined && !areas.includes(area)) throw usageError(`--area must be one of ${areas.join(', ')}`)
      const rows = (await toolkit.options.list(actor)).flatMap(({ key, value }) => {
        const option = findOption(key)
        if (!option || (area !== undefined && option.area !== area)) return []
        return [
          {
            key,
            value,
            area: option.area,
            type: option.type,
            default: option.default,
            description: option.description,
          },
        ]
      })
      await cli.print(rows, { columns: OPTION_COLUMNS, empty: 'No such options.' })
    })
}
