import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

interface Options extends Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  search?: string
  allPresets?: true
}

export function modelList(cli: Cli): Command {
  const command = new Command('list')
    .description('List the models that you can ask for')
    .option('--search <text>', 'only names that contain this')
    .option('--all-presets', 'instead, the names that Tollgate knows for each kind of channel, served or not')
  return withViewFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate model list\n  tollgate model list --all-presets --search claude')
    .action(async ({ search = '', allPresets, ...flags }: Options) => {
      const [{ toolkit, actor }, { MODEL_COLUMNS, PRESET_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/model.ts'),
      ])
      const matches = (name: string) => name.toLowerCase().includes(search.toLowerCase())
      const empty = cli.say`No such models.`
      if (!allPresets) {
        const rows = (await toolkit.models.usable(actor)).filter(matches).map((model) => ({ model }))
        return showAll(cli, flags, rows, { columns: MODEL_COLUMNS, empty })
      }
      const presets = Object.entries(await toolkit.models.presets(actor))
      const rows = presets.flatMap(([type, models]) =>
        models.filter(matches).map((model) => ({ type: Number(type), model })),
      )
      await showAll(cli, flags, rows, { columns: PRESET_COLUMNS, empty })
    })
}
