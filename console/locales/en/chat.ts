import type { chat as zh } from '../zh/chat.ts'

export const chat: typeof zh = {
  noToken: 'There is no enabled token. Please make sure that one is enabled!',
  signIn: 'Please log in first',
  signInHint: 'The chat uses one of your tokens and opens once you have logged in.',
  openApp: 'Open {{name}}',
  app: '{{name}} is an application',
  appHint: 'It cannot be shown on this page. Open it on your device.',
  newTab: 'Open in a new tab',
  keyQuestion: 'Send your API key to {{site}}?',
  keyHint: '{{name}} gets one of your API keys. The people who run {{site}} can use it, and spend your balance.',
  openAt: 'Open {{name}} at {{site}}',
  askAdmin: 'Chat links are configured by the administrator in the operation settings.',
}
