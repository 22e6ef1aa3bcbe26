import { Option } from 'commander'
import type { Language } from '../../../core/messages/language.ts'
import { usageError } from '../../errors.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  username?: string
  displayName?: string
  mailLanguage?: Language
}

export const accountUpdate = plainVerb({
  name: 'update',
  description: 'Change your names, or the language of mails to you',
  examples: ['tollgate account update --display-name Operator'],
  syntax: (command) =>
    command
      .option('--username <text>', 'new name to sign in with, 1 to 12 characters')
      .option('--display-name <text>', 'name shown to others, up to 20 characters')
      .addOption(
        new Option('--mail-language <code>', 'language of mails to you; the next sign-in sets it again').choices([
          'en',
          'zh',
        ]),
      ),
  async run(cli, { username, displayName, mailLanguage }: Options) {
    // The API takes an empty one for none.
    const blank = [username, displayName].some((name) => name?.trim() === '')
    const isEmpty = username === undefined && displayName === undefined && mailLanguage === undefined
    if (blank || isEmpty)
      throw usageError(cli.say`give something to change: --username, --display-name or --mail-language`)
    const { toolkit, actor } = await cli.open()
    const names = {
      ...(username !== undefined && { username }),
      ...(displayName !== undefined && { display_name: displayName }),
    }
    const read = () => toolkit.accounts.get(actor, actor.id)
    const before = await read()
    await toolkit.profile.update(actor, { ...names, ...(mailLanguage && { language: mailLanguage }) })
    const user = (await cli.readBack(read)) ?? { ...before, ...names }
    cli.report(cli.say`You are ${user.username}, shown as ${user.display_name}.`, user)
  },
})
