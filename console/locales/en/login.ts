import type { login as zh } from '../zh/login.ts'

export const login: typeof zh = {
  heading: 'Log in to {{name}}',
  username: 'Username or email',
  password: 'Password',
  submit: 'Log in',
  incomplete: 'Enter your username and password!',
  done: 'Logged in!',
}
