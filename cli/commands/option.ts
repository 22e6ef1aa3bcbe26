import { GatewayError } from '../../core/errors.ts'
import { findOption, OPTIONS } from '../../core/options/registry.ts'
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
import { readText } from '../input/text-file.ts'
import { shortened } from '../options/changes.ts'
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
    description: 'option.listOptionsAndTheirValues',
    examples: ['tollgate option list --area quota', 'tollgate option list --changed'],
    syntax: (command) =>
      command
        .option('--area <word>', 'option.filterByArea')
        .option('--search <text>', 'option.filterByPartOfTheName')
        .option('--changed', 'option.onlyOptionsThatDiffer'),
    columns: OPTION_COLUMNS,
    check({ t }, { area }: ListOptions) {
      const areas = optionAreas()
      if (area !== undefined && !areas.includes(area)) {
        throw usageError(t('option.areaMustBeOneOf', { areas: areas.join(', ') }))
      }
    },
    async rows({ toolkit, actor }, { area, search = '', changed }: ListOptions) {
      const searchText = search.toLowerCase()
      return optionRows(await toolkit.options.list(actor)).filter(
        (row) =>
          (area === undefined || row.area === area) &&
          (!changed || row.changed) &&
          `${row.key}\n${row.description}`.toLowerCase().includes(searchText),
      )
    },
    empty: ({ t }) => t('ui.noMatchingOptions'),
  }),
  listVerb({
    name: 'areas',
    description: 'option.listTheAreasOfOptions',
    examples: ['tollgate option areas', 'tollgate option areas --sort -changed'],
    columns: OPTION_AREA_COLUMNS,
    async rows({ toolkit, actor }) {
      const rows = optionRows(await toolkit.options.list(actor))
      return optionAreas().map((area) => {
        const options = rows.filter((row) => row.area === area)
        const secrets = Object.values(OPTIONS).filter((row) => row.area === area && row.secret).length
        const changed = options.filter((row) => row.changed).length
        return { area, options: options.length + secrets, changed, secrets }
      })
    },
    empty: ({ t }) => t('option.noOptions'),
  }),
  verb({
    name: 'get',
    description: 'option.printTheValueOfOneOption',
    examples: ['tollgate option get RetryTimes'],
    syntax: (command) => command.argument('<key>', 'option.nameOfTheOption'),
    async run({ cli, toolkit, actor }, key: string) {
      const value = await toolkit.options.read(actor, key)
      if (cli.json) cli.writeJson({ key, value })
      else cli.write(value)
    },
  }),
  plainVerb({
    name: 'set',
    description: 'option.setAnOption',
    examples: ['tollgate option set RetryTimes 2', 'tollgate option set Notice Hello'],
    syntax: (command) =>
      command
        .argument('<key>', 'option.nameOfTheOption')
        .argument('[value]', 'option.newValue')
        .option('--file <path>', 'option.readTheValueFromThisFile'),
    async run(cli, key: string, given: string | undefined, { file }: { file?: string }) {
      if (given !== undefined && file !== undefined) throw usageError(cli.t('option.passEitherAValueOrFile'))
      const option = findOption(key)
      const value = await givenValue(cli, { key, given, file, secret: option?.secret === true })
      const { toolkit, actor } = await cli.open()
      if (!option || option.secret) {
        await toolkit.options.set(actor, key, value)
        return cli.report(cli.t('ui.saved', { key }), { key })
      }
      const before = await toolkit.options.read(actor, key)
      option.checkEffect?.(value)
      const checkedValue = option.check(value)
      if (sameValue(option.type, before, checkedValue)) {
        return cli.report(cli.t('option.valueIsUnchanged', { key, value: shortened(before) }), { key, value: before })
      }
      await toolkit.options.set(actor, key, value)
      const stored = (await cli.readBack(() => toolkit.options.read(actor, key))) ?? checkedValue
      cli.report(cli.t('option.setTo', { key, value: shortened(stored) }), { key, value: stored })
    },
  }),
  optionEdit,
  plainVerb({
    name: 'reset',
    description: 'option.resetOptionsToTheirDefaults',
    examples: ['tollgate option reset RetryTimes --yes'],
    syntax: (command) => command.argument('<keys...>', 'option.optionNames').option(...YES),
    async run(cli, given: string[], { yes }: { yes?: true }) {
      const keys = [...new Set(given)]
      const unknown = keys.find((key) => !findOption(key))
      if (unknown !== undefined) throw new GatewayError('OPTION_UNKNOWN', { key: unknown })
      const { toolkit, actor } = await cli.open()
      const rows = new Map(optionRows(await toolkit.options.list(actor)).map((row) => [row.key, row]))
      const hasDefault = (row: OptionRow | undefined) => row && sameValue(row.type, row.value, row.default)
      const changing = keys.filter((key) => !hasDefault(rows.get(key)))
      if (changing.length === 0) return cli.report(cli.t('option.nothingChangedAlready', { keys: keys.join(', ') }), [])
      if (!yes) {
        for (const row of changing.flatMap((key) => rows.get(key) ?? [])) {
          cli.note(`${row.key}: ${shortened(row.value)} → ${shortened(row.default)}`)
        }
      }
      await cli.confirm(cli.t('option.confirmReset', { keys: changing.join(', ') }), { yes })
      await toolkit.options.reset(actor, changing)
      cli.report(
        cli.t('option.resetDone', { keys: changing.join(', ') }),
        changing.map((key) => ({ key, value: rows.get(key)?.default })),
      )
    },
  }),
  verb({
    name: 'reset-ratios',
    description: 'option.restoreTheBuiltInModelRatios',
    examples: ['tollgate option reset-ratios --yes'],
    syntax: (command) => command.option(...YES),
    async run({ cli, toolkit, actor }, { yes }: YesFlag) {
      await cli.confirm(cli.t('option.discardYourOwnModelRatios'), { yes })
      await toolkit.options.reset(actor, ['ModelRatio'])
      cli.report(cli.t('option.restoredTheBuiltInModelRatios'), { key: 'ModelRatio' })
    },
  }),
])

async function givenValue(
  cli: Cli,
  { key, given, file, secret }: { key: string; given: string | undefined; file: string | undefined; secret: boolean },
): Promise<string> {
  if (file !== undefined) {
    return (await readText(cli, file)).replace(/\r?\n$/, '')
  }
  if (given === '-') return cli.readInput()
  if (given !== undefined) return given
  if (!secret || !cli.interactive) throw usageError(cli.t('option.missingValue', { key }))
  return (await cli.prompts()).password({ message: key, mask: true })
}
