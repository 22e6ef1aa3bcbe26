import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { usageError } from '../errors.ts'

/** Time for running calls to end when the user exits. */
const GRACE_MS = 1000

export function ui(cli: Cli): Command {
  return new Command('ui')
    .description('Terminal UI for channels, tokens, users, codes, logs and options')
    .addHelpText('after', '\nThe last line shows its keys; ? shows all of them.')
    .addHelpText('after', '\nExamples:\n  tollgate ui\n  tollgate ui --profile local')
    .action(async () => {
      if (cli.json)
        throw usageError(cli.say`--json cannot be used with the terminal UI: omit it, or use another command`)
      if (!cli.interactive || cli.stdout.isTTY !== true) {
        throw usageError(cli.say`no terminal: tollgate ui needs one, the other commands do not`)
      }
      cli.canWait = false
      // React's development build records every render, so memory grows while the UI is open.
      process.env.NODE_ENV ??= 'production'
      const { takeTerminal } = await import('../ui/terminal.ts')
      // Taken first, so that the screen is not blank while loading and keys are not echoed.
      const terminal = takeTerminal(cli)
      terminal.canvas.write(` ${cli.text('Loading …')}`)
      try {
        const { runScreens } = await import('../ui/run.tsx')
        cli.exitCode = await runScreens(cli, terminal)
      } finally {
        terminal.restore()
      }
      setTimeout(() => process.exit(cli.exitCode), GRACE_MS).unref()
    })
}
