import type { Cli } from '../../cli.ts'
import { changeProfiles } from '../../profiles.ts'
import { verb, YES, type YesFlag } from '../../run/verbs.ts'

export const accountAccessToken = verb({
  name: 'access-token',
  description: 'account.printYourAccessToken',
  examples: ['tollgate account access-token'],
  syntax: (command) => command.option('--new', 'account.createANewAccessToken').option(...YES),
  async run({ cli, toolkit, actor }, { new: isNew, yes }: YesFlag & { new?: true }) {
    let token = await toolkit.accessTokens.own(actor)
    if (token === null || isNew) {
      if (token !== null) {
        const question = cli.t('account.createANewAccessTokenTheCurrent')
        await cli.confirm(question, { yes })
      }
      const created = await toolkit.accessTokens.create(actor)
      // A failure to update the profiles must not hide the new token.
      await cli.readBack(() => storeInProfiles(cli, created))
      token = created
    }
    if (cli.json) cli.writeJson({ access_token: token })
    else cli.write(token)
  },
})

/** Replaces the old token in the profiles that use it. */
async function storeInProfiles(cli: Cli, token: string): Promise<void> {
  const target = await cli.target()
  if (target.kind === 'local' || target.profile === undefined) return
  const before = target.server.token
  await changeProfiles({ env: cli.env, texts: cli }, (stored) => ({
    ...stored,
    profiles: Object.fromEntries(
      Object.entries(stored.profiles).map(([name, profile]) => [
        name,
        profile.server === target.server.url && profile.token === before ? { ...profile, token } : profile,
      ]),
    ),
  }))
}
