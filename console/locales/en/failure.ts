import type { failure as zh } from '../zh/failure.ts'

export const failure: typeof zh = {
  signedOut: 'You are not logged in or your login has expired. Please log in again!',
  tooMany: 'Error: too many requests. Try again later!',
  server: 'Error: the server failed internally. Contact the administrator!',
  noServer: 'This site is a demonstration only and has no server!',
  status: 'Error: {{message}}',
  unreadable: "Error: the server's answer could not be read",
  slow: 'Error: the server did not answer in time, please try again later',
  unreachable: 'Error: the server cannot be reached. Check your network and try again',
  statusUnreachable: 'Unable to connect to server',
  statusFailed: 'Failed to load status',
  unknown: 'Error: the operation failed. Try again',
}
