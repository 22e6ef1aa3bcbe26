import { type Cli, createCli } from '../../cli/cli.ts'
import { createTexts } from '../../cli/texts.ts'

/** A command line that is never run: for what commands say of themselves. */
export function cliForReading(): Cli {
  const { stdin, stdout, stderr } = process
  return createCli({
    surroundings: { stdin, stdout, stderr, env: {}, folder: '.' },
    texts: createTexts('en', {}),
    flags: () => ({}),
  })
}
