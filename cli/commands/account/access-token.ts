import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function accountAccessToken(cli: Cli): Command {
  return new Command('access-token')
    .description('Print your access token for the management API')
    .option('--new', 'make a new one; the one before is void at once')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tollgate account access-token')
    .action(async (options: { new?: true; yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      const own = await toolkit.accessTokens.own(actor)
      const token = own === null || options.new ? await renewed(own) : own
      if (cli.json) cli.writeJson({ access_token: token })
      else cli.write(token)

      async function renewed(before: string | null): Promise<string> {
        if (before !== null) {
          const question = cli.say`Make a new access token? Scripts and other machines that use the one of now are refused from then on.`
          await cli.confirm(question, { yes: options.yes })
        }
        const made = await toolkit.accessTokens.create(actor)
        // A failure to update the profiles must not hide the new token.
        await cli.readBack(() => keep(made))
        return made
      }
    })

  /** Replaces the old token in the profiles that use it. */
  async function keep(token: string): Promise<void> {
    const backing = await cli.backing()
    if (backing.kind === 'local' || backing.profile === undefined) return
    const { changeProfiles } = await import('../../profiles.ts')
    const before = backing.server.token
    await changeProfiles({ env: cli.env, texts: cli }, (known) => ({
      ...known,
      profiles: Object.fromEntries(
        Object.entries(known.profiles).map(([name, profile]) => [
          name,
          profile.server === backing.server.url && profile.token === before ? { ...profile, token } : profile,
        ]),
      ),
    }))
  }
}
