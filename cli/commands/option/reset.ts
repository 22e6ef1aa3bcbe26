import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function optionReset(cli: Cli): Command {
  return new Command('reset')
    .description('Bring the defaults of options back; a secret becomes empty')
    .argument('<keys...>', 'names of options, such as RetryTimes')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate option reset RetryTimes --yes')
    .action(async (given: string[], { yes }: { yes?: true }) => {
      const [{ findOption }, { GatewayError }, { optionRows }, { shortened }] = await Promise.all([
        import('../../../core/options/registry.ts'),
        import('../../../core/errors.ts'),
        import('../../columns/option.ts'),
        import('../../options/changes.ts'),
      ])
      const keys = [...new Set(given)]
      const unknown = keys.find((key) => !findOption(key))
      if (unknown !== undefined) throw new GatewayError('OPTION_UNKNOWN', { key: unknown })
      const { toolkit, actor } = await cli.open()
      const rows = new Map(optionRows(await toolkit.options.list(actor)).map((row) => [row.key, row]))
      const changing = keys.filter((key) => rows.get(key)?.changed !== false)
      if (changing.length === 0) return cli.report(cli.say`Nothing changed: ${keys.join(', ')} at the default.`, [])
      if (!yes) {
        for (const row of changing.flatMap((key) => rows.get(key) ?? [])) {
          cli.note(`${row.key}: ${shortened(row.value)} → ${shortened(row.default)}`)
        }
      }
      await cli.confirm(cli.say`Bring the default of ${changing.join(', ')} back?`, { yes })
      await toolkit.options.reset(actor, changing)
      cli.report(
        cli.say`${changing.join(', ')}: the default is in force again.`,
        changing.map((key) => ({ key, value: rows.get(key)?.default })),
      )
    })
}
