import { usageError } from '../errors.ts'
import { listVerb, noun, verb, YES, type YesFlag } from '../run/verbs.ts'
import { optionEdit } from './option/edit.ts'
import { optionReset } from './option/reset.ts'
import { optionSet } from './option/set.ts'

interface ListOptions {
  area?: string
  search?: string
  changed?: true
}

export const option = noun('option', [
  listVerb({
    name: 'list',
    description: 'List options and their values; secrets are never listed',
    examples: ['tollgate option list --area quota', 'tollgate option list --changed'],
    syntax: (command) =>
      command
        .option('--area <word>', 'only those of one area, such as quota, ratio or login')
        .option('--search <text>', 'only those whose name or description contains this')
        .option('--changed', 'only those that are not at their default'),
    columns: async () => (await import('../columns/option.ts')).OPTION_COLUMNS,
    async check({ say }, { area }: ListOptions) {
      const { optionAreas } = await import('../columns/option.ts')
      const areas = optionAreas()
      if (area !== undefined && !areas.includes(area)) throw usageError(say`--area must be one of ${areas.join(', ')}`)
    },
    async rows({ toolkit, actor }, { area, search = '', changed }: ListOptions) {
      const { optionRows } = await import('../columns/option.ts')
      const wanted = search.toLowerCase()
      return optionRows(await toolkit.options.list(actor)).filter(
        (row) =>
          (area === undefined || row.area === area) &&
          (!changed || row.changed) &&
          `${row.key}\n${row.description}`.toLowerCase().includes(wanted),
      )
    },
    empty: ({ say }) => say`No such options.`,
  }),
  listVerb({
    name: 'areas',
    description: 'List the areas that options are grouped in',
    examples: ['tollgate option areas', 'tollgate option areas --sort -changed'],
    columns: async () => (await import('../columns/option.ts')).OPTION_AREA_COLUMNS,
    async rows({ toolkit, actor }) {
      const [{ OPTIONS }, { optionAreas, optionRows }] = await Promise.all([
        import('../../core/options/registry.ts'),
        import('../columns/option.ts'),
      ])
      const rows = optionRows(await toolkit.options.list(actor))
      return optionAreas().map((area) => {
        const options = rows.filter((row) => row.area === area)
        const secrets = Object.values(OPTIONS).filter((row) => row.area === area && row.secret).length
        const changed = options.filter((row) => row.changed).length
        return { area, options: options.length + secrets, changed, secrets }
      })
    },
    empty: ({ say }) => say`There are no options.`,
  }),
  verb({
    name: 'get',
    description: 'Print the value of one option',
    example: 'tollgate option get RetryTimes',
    syntax: (command) => command.argument('<key>', 'name of the option, such as RetryTimes'),
    async run({ cli, toolkit, actor }, key: string) {
      const value = await toolkit.options.read(actor, key)
      if (cli.json) cli.writeJson({ key, value })
      else cli.write(value)
    },
  }),
  optionSet,
  optionEdit,
  optionReset,
  verb({
    name: 'reset-ratios',
    description: 'Bring the built-in model ratios back; your own ones are lost',
    example: 'tollgate option reset-ratios --yes',
    syntax: (command) => command.option(...YES),
    async run({ cli, toolkit, actor }, { yes }: YesFlag) {
      await cli.confirm(cli.say`Forget your own model ratios?`, { yes })
      await toolkit.options.reset(actor, ['ModelRatio'])
      cli.report(cli.say`The model ratios are the built-in ones again.`, { key: 'ModelRatio' })
    },
  }),
])
