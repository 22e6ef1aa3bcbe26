import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { usageError } from '../errors.ts'

/** Maximum time that running calls have to end after the user exits. */
const GRACE_MS = 1000

export function ui(cli: Cli): Command {
  return new Command('ui', cli)
    .description('ui.terminalUiForChannels')
    .note('ui.theLastLineShowsItsKeys')
    .example('tollgate ui', 'tollgate ui --profile local')
    .action(async () => {
      if (cli.json) throw usageError(cli.t('ui.jsonCannotBeUsed'))
      if (!cli.interactive || cli.stdout.isTTY !== true) throw usageError(cli.t('ui.noTerminal'))
      cli.canWait = false
      // React's development build records every render, so memory grows while the UI is open.
      process.env.NODE_ENV ??= 'production'
      const { takeTerminal } = await import('../ui/terminal.ts')
      // The terminal is taken before loading, so that the screen is not blank and keys are not echoed meanwhile.
      const terminal = takeTerminal(cli)
      terminal.canvas.write(` ${cli.t('ui.loading')}`)
      try {
        const { runScreens } = await import('../ui/run.tsx')
        cli.exitCode = await runScreens(cli, terminal)
      } finally {
        terminal.restore()
      }
      setTimeout(() => process.exit(cli.exitCode), GRACE_MS).unref()
    })
}
