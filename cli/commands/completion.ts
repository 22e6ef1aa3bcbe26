import { Argument } from 'commander'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'

export function completion(cli: Cli): Command {
  return new Command('completion', cli)
    .addArgument(new Argument('<shell>', cli.t('program.yourShell')).choices(['bash', 'zsh', 'fish']))
    .listing('program.toEnableItPermanentlyTitle', [
      "echo 'source <(tollgate completion bash)' >> ~/.bashrc",
      "echo 'source <(tollgate completion zsh)' >> ~/.zshrc     # after compinit",
      'tollgate completion fish > ~/.config/fish/completions/tollgate.fish',
    ])
    .note('program.completesCommands')
    .example('tollgate completion bash')
    .action(async (shell: string) => {
      const { SCRIPTS } = await import('../completion/scripts.ts')
      const script = SCRIPTS[shell as keyof typeof SCRIPTS]
      if (cli.json) cli.writeJson({ shell, script })
      else cli.write(script.trimEnd())
    })
}
