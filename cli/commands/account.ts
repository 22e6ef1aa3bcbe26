import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { accountAccessToken } from './account/access-token.ts'
import { accountBindings } from './account/bindings.ts'
import { accountDelete } from './account/delete.ts'
import { accountInvite } from './account/invite.ts'
import { accountPassword } from './account/password.ts'
import { accountRegister } from './account/register.ts'
import { accountResetPassword } from './account/reset-password.ts'
import { accountUpdate } from './account/update.ts'
import { accountVerifyEmail } from './account/verify-email.ts'
import { accountWhoami } from './account/whoami.ts'

export function account(cli: Cli): Command {
  const verbs = [
    accountWhoami,
    accountUpdate,
    accountPassword,
    accountAccessToken,
    accountBindings,
    accountInvite,
    accountRegister,
    accountVerifyEmail,
    accountResetPassword,
    accountDelete,
  ]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('account'))
}
