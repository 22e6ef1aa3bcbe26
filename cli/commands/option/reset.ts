import { plainVerb } from '../../run/verbs.ts'

export const optionReset = plainVerb({
  name: 'reset',
  description: 'Bring the defaults of options back; a secret becomes empty',
  example: 'tollgate option reset RetryTimes --yes',
  syntax: (command) =>
    command.argument('<keys...>', 'names of options, such as RetryTimes').option('-y, --yes', 'do not ask'),
  async run(cli, given: string[], { yes }: { yes?: true }) {
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
  },
})
