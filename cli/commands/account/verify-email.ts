import { plainVerb } from '../../run/verbs.ts'

export const accountVerifyEmail = plainVerb({
  name: 'verify-email',
  description: 'Have a code mailed that proves an address, or with --code make the address yours',
  examples: [
    'tollgate account verify-email ann@example.com',
    'printf %s "$PASSWORD" | tollgate account verify-email ann@example.com --code 1a2b3c --password-stdin',
  ],
  syntax: (command) =>
    command
      .argument('<address>', 'mail address')
      .option('--code <text>', 'the code that was mailed there; needs sign-in, and at a server your password')
      .option('--password-stdin', 'read your current password from stdin (default: asked for)'),
  async run(cli, email: string, { code, passwordStdin }: { code?: string; passwordStdin?: true }) {
    if (code !== undefined) {
      const current_password = await currentPassword()
      const { toolkit, actor } = await cli.open()
      await toolkit.profile.bindEmail(actor, { email, code, current_password })
      return cli.report(cli.say`${email} is your mail address now.`, { email, bound: true })
    }
    const { openAnonymous } = await import('../../anonymous.ts')
    await (await openAnonymous(cli)).registration.sendCode(email, cli.language)
    cli.report(cli.say`A code was mailed to ${email}. It is good for a few minutes.`, { email, bound: false })

    /** Servers require the password: reset links go to the address, so an access token alone must not change it. */
    async function currentPassword(): Promise<string> {
      if ((await cli.backing()).kind === 'local') return ''
      if (passwordStdin) return cli.readInput()
      return (await cli.prompts()).password({ message: cli.text('Current password'), mask: true })
    }
  },
})
