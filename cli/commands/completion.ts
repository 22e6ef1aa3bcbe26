import { Argument, Command } from 'commander'
import type { Cli } from '../cli.ts'

export function completion(cli: Cli): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
To enable it permanently, with tollgate in your PATH:
  echo 'source <(tollgate completion bash)' >> ~/.bashrc
  echo 'source <(tollgate completion zsh)' >> ~/.zshrc     # after compinit
  tollgate completion fish > ~/.config/fish/completions/tollgate.fish

Completes commands, options, choices, profiles, option keys and channel types, without calling a gateway.

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
