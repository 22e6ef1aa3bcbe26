import { findAnyType } from '../../core/channels/types/types.ts'
import type { Column } from '../output/column.ts'
import { showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { noun, verb } from '../run/verbs.ts'

const MODEL_COLUMNS: readonly Column<{ model: string }>[] = [{ name: 'model', value: ({ model }) => model }]

/** One built-in model name of a channel type. If several types have the same name, each type has its own row. */
interface PresetModel {
  /** Number of the channel type. */
  type: number
  model: string
}

const PRESET_COLUMNS: readonly Column<PresetModel>[] = [
  { name: 'type', value: ({ type }) => String(type), align: 'right' },
  { name: 'kind', value: ({ type }) => findAnyType(type)?.name ?? '-' },
  { name: 'model', value: ({ model }) => model },
]

interface ListOptions extends ViewFlags {
  search?: string
  allPresets?: true
}

export const model = noun('model', [
  verb({
    name: 'list',
    description: 'pricing.listTheModels',
    examples: ['tollgate model list', 'tollgate model list --all-presets --search claude'],
    syntax: (command) =>
      withViewFlags(
        command
          .option('--search <text>', 'token.filterByPartOfTheName')
          .option('--all-presets', 'pricing.listTheKnownModelNames'),
        PRESET_COLUMNS,
      ),
    async run({ cli, toolkit, actor }, { search = '', allPresets, ...flags }: ListOptions) {
      const matchesSearch = (name: string) => name.toLowerCase().includes(search.toLowerCase())
      const empty = cli.t('pricing.noMatchingModels')
      if (!allPresets) {
        const rows = (await toolkit.models.usable(actor)).filter(matchesSearch).map((model) => ({ model }))
        return showAll(cli, flags, rows, { columns: MODEL_COLUMNS, empty })
      }
      const presets = Object.entries(await toolkit.models.presets(actor))
      const rows = presets.flatMap(([type, models]) =>
        models.filter(matchesSearch).map((model) => ({ type: Number(type), model })),
      )
      await showAll(cli, flags, rows, { columns: PRESET_COLUMNS, empty })
    },
  }),
])
