import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function accountVerifyEmail(cli: Cli): Command {
  return new Command('verify-email')
    .description('Have a code mailed that proves an address, or with --code make the address yours')
    .argument('<address>', 'mail address')
    .option('--code <text>', 'the code that was mailed there; needs sign-in')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate account verify-email ann@example.com\n  tollgate account verify-email ann@example.com --code 1a2b3c',
    )
    .action(async (email: string, { code }: { code?: string }) => {
      if (code !== undefined) {
        const { toolkit, actor } = await cli.open()
        await toolkit.profile.bindEmail(actor, { email, code })
        return cli.report(cli.say`${email} is your mail address now.`, { email, bound: true })
      }
      const { openVisitor } = await import('../../visitor.ts')
      await (await openVisitor(cli)).registration.sendCode(email)
      cli.report(cli.say`A code was mailed to ${email}. It is good for a few minutes.`, { email, bound: false })
    })
}
