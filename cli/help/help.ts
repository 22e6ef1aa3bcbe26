import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { pageOf } from './page.ts'
import { type Paint, PLAIN, renderPage } from './terminal.ts'

/** Writes the help of a command on stdout, in the language and the width of whoever reads it. */
export async function printHelp(cli: Cli, command: Command): Promise<void> {
  const { stdout } = cli
  const { color } = await cli.format()
  const paint: Paint = color.isColorSupported
    ? { title: (text) => color.bold(text), term: (text) => color.cyan(text), faint: (text) => color.dim(text) }
    : PLAIN
  const page = pageOf(command, cli)
  if (command.parent) {
    page.blocks.push({ prose: cli.say`--json, --server and other options of every command: ${'tollgate --help'}` })
  }
  stdout.write(renderPage(page, { width: widthFor(cli), paint, text: cli.text }))
}

/** Lines longer than this are hard to read, however wide a terminal is. */
const WIDTH_MAX = 80

/** COLUMNS as it is set; otherwise the width of the terminal, at most 80. A terminal that does not know its width says 0. */
function widthFor({ stdout, env }: Pick<Cli, 'stdout' | 'env'>): number | undefined {
  const set = Number(env.COLUMNS)
  if (Number.isInteger(set) && set > 0) return set
  return stdout.isTTY && stdout.columns ? Math.min(stdout.columns, WIDTH_MAX) : undefined
}
