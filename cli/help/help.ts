import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { helpPageOf } from './page.ts'
import { type Paint, PLAIN, renderPage } from './terminal.ts'

/** Prints the help of a command to stdout, in the user's language and the terminal's width. */
export async function printHelp(cli: Cli, command: Command): Promise<void> {
  const { stdout } = cli
  const { color } = await cli.format()
  const paint: Paint = color.isColored
    ? { title: (text) => color.bold(text), term: (text) => color.cyan(text), faint: (text) => color.dim(text) }
    : PLAIN
  const page = helpPageOf(command)
  if (command.parent) {
    page.blocks.push({ prose: cli.t('program.jsonServerAndOtherOptions', { command: 'tollgate --help' }) })
  }
  stdout.write(renderPage(page, { width: widthFor(cli), paint, t: cli.t }))
}

/** Maximum width on a terminal. Longer lines are hard to read. */
const WIDTH_MAX = 80

/** Returns COLUMNS if set, else the terminal's width up to 80. `columns` is 0 if the width is unknown. */
function widthFor({ stdout, env }: Pick<Cli, 'stdout' | 'env'>): number | undefined {
  const columnsSetting = Number(env.COLUMNS)
  if (Number.isInteger(columnsSetting) && columnsSetting > 0) return columnsSetting
  return stdout.isTTY && stdout.columns ? Math.min(stdout.columns, WIDTH_MAX) : undefined
}
