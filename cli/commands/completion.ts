import { Argument, Command } from 'commander'
import type { Cli } from '../cli.ts'

export function completion(cli: Cli): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell that presses Tab').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
For good, with tollgate on your PATH:
  echo 'source <(tollgate completion bash)' >> ~/.bashrc
  echo 'source <(tollgate completion zsh)' >> ~/.zshrc     # after compinit
  tollgate completion fish > ~/.config/fish/completions/tollgate.fish

Completes commands, options, choices, names of profiles, keys of options and channel types. No gateway is asked.

Examples:
  tollgate completion bash`,
    )
    .action(async (shell: string) => {
      const { SCRIPTS } = await import('../completion/scripts.ts')
      const script = SCRIPTS[shell as keyof typeof SCRIPTS]
      if (cli.json) cli.writeJson({ shell, script })
      else cli.write(script.trimEnd())
    })
}
