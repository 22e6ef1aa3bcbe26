import type { English } from '../english.ts'
import type { start as zh } from '../zh/start.ts'

export const start: English<typeof zh> = {
  title: '{{count}} steps to go',
  title_one: '{{count}} step to go',
  allDone: 'All steps are done',
  left: 'First steps: {{count}} to go',
  hide: 'Hide these steps',
  done: 'Done',
  open: 'To do',
  tested: 'The channel works',
  keyName: 'My first key',
  ready: 'Your key is ready',
  baseUrl: 'Base URL',
  apiKey: 'API key',
  noModel: 'No model available',
  noModelHint: 'This key cannot use any model yet: no channel serves its group, or the models have no price.',
  yourModel: 'MODEL',
  use: 'How to use it',
  examples: 'Examples',
  environment: 'Environment variables',
  run: 'Run it here',
  runHint: 'Sends a short chat request with this key, charged as usual.',
  ran: 'Replied after {{seconds}} s',
  runFailed: 'Failed after {{seconds}} s',
  step: {
    channel: {
      title: 'Add a channel',
      hint: 'A channel is an account at a provider: choose its type, paste the key, choose models.',
      act: 'New channel',
    },
    test: {
      title: 'Test the channel',
      hint: 'Sends a very small real request, to see that key and address work.',
      act: 'Test now',
    },
    price: {
      title: 'Check the prices',
      hint: 'Models without a price are rejected. Common models have one; set the others in Settings › Operation.',
      act: 'Set prices',
    },
    key: {
      title: 'Create an API key',
      hint: 'Programs call the gateway with a key; usage counts for your account.',
      act: 'Create key',
    },
    request: {
      title: 'Send the first request',
      hint: 'Click “Run it here” below, or paste an example into your program. This is checked off as the request arrives.',
    },
    retries: {
      title: 'Retry on other channels',
      hint: 'When a channel fails, another one is tried.',
      act: 'Retry twice',
    },
    address: {
      title: 'Set the public address',
      hint: 'For examples, links in mails and payment notices. You can change it in the system settings.',
      act: 'Use {{address}}',
    },
  },
}
