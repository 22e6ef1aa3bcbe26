import { GatewayError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import {
  OPTION_AREA_COLUMNS,
  OPTION_COLUMNS,
  type OptionRow,
  optionAreas,
  optionRows,
  sameValue,
} from '../columns/option.ts'
import { usageError } from '../errors.ts'
import { listVerb, noun, plainVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { optionEdit } from './option/edit.ts'

interface ListOptions {
  area?: string
  search?: string
  changed?: true
}

export const option = noun('option', [
  listVerb({
    name: 'list',
    description: 'List options and their values, without secrets',
    examples: ['tollgate option list --area quota', 'tollgate option list --changed'],
    syntax: (command) =>
      command
        .option('--area <word>', 'filter by area, such as quota, ratio or login')
        .option('--search <text>', 'filter by part of the name or description')
        .option('--changed', 'only options that differ from their default'),
    columns: OPTION_COLUMNS,
    async check({ say }, { area }: ListOptions) {
      const areas = optionAreas()
      if (area !== undefined && !areas.includes(area)) throw usageError(say`--area must be one of ${areas.join(', ')}`)
    },
    async rows({ toolkit, actor }, { area, search = '', changed }: ListOptions) {
      const wanted = search.toLowerCase()
      return optionRows(await toolkit.options.list(actor)).filter(
        (row) =>
          (area === undefined || row.area === area) &&
          (!changed || row.changed) &&
          `${row.key}\n${row.description}`.toLowerCase().includes(wanted),
      )
    },
    empty: ({ say }) => say`No matching options.`,
  }),
  listVerb({
    name: 'areas',
    description: 'List the areas of options',
    examples: ['tollgate option areas', 'tollgate option areas --sort -changed'],
    columns: OPTION_AREA_COLUMNS,
    async rows({ toolkit, actor }) {
      const { OPTIONS } = await import('../../core/options/registry.ts')
      const rows = optionRows(await toolkit.options.list(actor))
      return optionAreas().map((area) => {
        const options = rows.filter((row) => row.area === area)
        const secrets = Object.values(OPTIONS).filter((row) => row.area === area && row.secret).length
        const changed = options.filter((row) => row.changed).length
        return { area, options: options.length + secrets, changed, secrets }
      })
    },
    empty: ({ say }) => say`No options.`,
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
  plainVerb({
    name: 'set',
    description: 'Set an option; a running gateway applies it within a second',
    examples: ['tollgate option set RetryTimes 2', 'tollgate option set Notice Hello'],
    syntax: (command) =>
      command
        .argument('<key>', 'name of the option, such as RetryTimes')
        .argument('[value]', 'new value; - reads it from stdin; prompts for an omitted secret')
        .option('--file <path>', 'read the value from this file'),
    async run(cli, key: string, given: string | undefined, { file }: { file?: string }) {
      if (given !== undefined && file !== undefined) throw usageError(cli.say`pass either a value or --file, not both`)
      const [{ findOption }, { shortened }] = await Promise.all([
        import('../../core/options/registry.ts'),
        import('../options/changes.ts'),
      ])
      const option = findOption(key)
      const value = await givenValue(cli, { key, given, file, secret: option?.secret === true })
      const { toolkit, actor } = await cli.open()
      if (!option || option.secret) {
        await toolkit.options.set(actor, key, value)
        return cli.report(cli.say`Saved ${key}.`, { key })
      }
      const before = await toolkit.options.read(actor, key)
      option.checkEffect?.(value)
      const wanted = option.check(value)
      if (sameValue(option.type, before, wanted)) {
        return cli.report(cli.say`Nothing changed: ${key} is already ${shortened(before)}.`, { key, value: before })
      }
      await toolkit.options.set(actor, key, value)
      const stored = (await cli.readBack(() => toolkit.options.read(actor, key))) ?? wanted
      cli.report(cli.say`Set ${key} to ${shortened(stored)}`, { key, value: stored })
    },
  }),
  optionEdit,
  plainVerb({
    name: 'reset',
    description: 'Reset options to their defaults; secrets become empty',
    example: 'tollgate option reset RetryTimes --yes',
    syntax: (command) => command.argument('<keys...>', 'option names, such as RetryTimes').option(...YES),
    async run(cli, given: string[], { yes }: { yes?: true }) {
      const [{ findOption }, { shortened }] = await Promise.all([
        import('../../core/options/registry.ts'),
        import('../options/changes.ts'),
      ])
      const keys = [...new Set(given)]
      const unknown = keys.find((key) => !findOption(key))
      if (unknown !== undefined) throw new GatewayError('OPTION_UNKNOWN', { key: unknown })
      const { toolkit, actor } = await cli.open()
      const rows = new Map(optionRows(await toolkit.options.list(actor)).map((row) => [row.key, row]))
      const hasDefault = (row: OptionRow | undefined) => row && sameValue(row.type, row.value, row.default)
      const changing = keys.filter((key) => !hasDefault(rows.get(key)))
      if (changing.length === 0)
        return cli.report(cli.say`Nothing changed: ${keys.join(', ')} already has its default.`, [])
      if (!yes) {
        for (const row of changing.flatMap((key) => rows.get(key) ?? [])) {
          cli.note(`${row.key}: ${shortened(row.value)} → ${shortened(row.default)}`)
        }
      }
      await cli.confirm(cli.say`Reset ${changing.join(', ')} to its default?`, { yes })
      await toolkit.options.reset(actor, changing)
      cli.report(
        cli.say`Reset ${changing.join(', ')} to its default.`,
        changing.map((key) => ({ key, value: rows.get(key)?.default })),
      )
    },
  }),
  verb({
    name: 'reset-ratios',
    description: 'Restore the built-in model ratios; your own are lost',
    example: 'tollgate option reset-ratios --yes',
    syntax: (command) => command.option(...YES),
    async run({ cli, toolkit, actor }, { yes }: YesFlag) {
      await cli.confirm(cli.say`Discard your own model ratios?`, { yes })
      await toolkit.options.reset(actor, ['ModelRatio'])
      cli.report(cli.say`Restored the built-in model ratios.`, { key: 'ModelRatio' })
    },
  }),
])

async function givenValue(
  cli: Cli,
  { key, given, file, secret }: { key: string; given: string | undefined; file: string | undefined; secret: boolean },
): Promise<string> {
  if (file !== undefined) {
    const { readText } = await import('../input/text-file.ts')
    return (await readText(cli, file)).replace(/\r?\n$/, '')
  }
  if (given === '-') return cli.readInput()
  if (given !== undefined) return given
  if (!secret || !cli.interactive)
    throw usageError(cli.say`missing value of ${key}: pass it as an argument, with --file, or on stdin with -`)
  return (await cli.prompts()).password({ message: key, mask: true })
}
