import OpenAI from 'openai-5'
import { runOlder } from './older-openai.mjs'

await runOlder(OpenAI)
