import type { content as zh } from '../zh/content.ts'

export const content: typeof zh = {
  notice: 'Announcement',
  noticeRead: 'Got it',
  homeFailed: 'The content of the home page could not be loaded',
  aboutFailed: 'The content of this page could not be loaded',
  claim: 'One API for every AI model',
  what: 'A gateway to AI models: one address and one token for all providers, a working channel chosen for each request, and every charge accounted for.',
  toConsole: 'Open the console',
  toPricing: 'Model prices',
  start: 'Quick start',
  startHint: 'Create a token in the console and give your client this base URL. Nothing else in your code changes.',
  address: 'Base URL',
  snippets: 'Sample requests',
  point: {
    formats: {
      title: 'Speaks every format',
      text: 'SDKs and clients of OpenAI, Anthropic and Gemini work as they are.',
    },
    failover: {
      title: 'Switches by itself',
      text: 'When an upstream fails, another channel is tried: one outage does not stop your requests.',
    },
    billing: {
      title: 'Pay for what you use',
      text: 'Charged by token or by call, and the log shows how each price came about.',
    },
    keys: { title: 'Tokens under control', text: 'Give each token its own budget, expiry, models and addresses.' },
  },
  product: 'Software',
  since: 'Running since',
  documentation: 'Documentation',
  apiReference: 'API reference',
  licence: 'License',
  licenceText: 'MIT: free to use, change and share',
  aboutHint: 'Write an about text of your own in Settings → Other',
}
