import { generateKeyPairSync } from 'node:crypto'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The public key of the service account below. */
export const PUBLIC_KEY = publicKey

/** Returns a service account's JSON key in Google's format, with a key of this run. */
export function serviceAccountKey(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'my-project',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'relay@my-project.iam.gserviceaccount.com',
    ...fields,
  })
}
