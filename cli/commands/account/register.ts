import { newPassword, PASSWORD_STDIN } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  passwordStdin?: true
  email?: string
  code?: string
  invite?: string
}

export const accountRegister = plainVerb({
  name: 'register',
  description: 'Make an account for yourself, where the gateway lets anybody; needs no sign-in',
  examples: ["printf 'a new secret' | tollgate account register eve --password-stdin"],
  syntax: (command) =>
    command
      .argument('<username>', 'what you will sign in with, 1 to 12 characters')
      .option(...PASSWORD_STDIN)
      .option('--email <address>', 'your mail address, where the gateway asks for one')
      .option('--code <text>', 'the code that account verify-email had mailed there')
      .option('--invite <code>', 'invite code of who brought you'),
  async run(cli, username: string, { email, code, invite, ...flags }: Options) {
    const { openAnonymous } = await import('../../anonymous.ts')
    const { registration, url } = await openAnonymous(cli)
    const applicant = {
      username,
      password: await newPassword(cli, flags),
      ...(email !== undefined && { email }),
      ...(code !== undefined && { verification_code: code }),
      ...(invite !== undefined && { aff_code: invite }),
    }
    await registration.register(applicant, { language: cli.language })
    cli.report(cli.say`Made the account ${username}.`, { username })
    if (url !== undefined && !cli.json) cli.note(cli.say`Sign in with: tollgate login ${url}`)
  },
})
