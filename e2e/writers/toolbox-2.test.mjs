// dynamodb-toolbox 2 and the API write to one table.
import * as library from 'dynamodb-toolbox';
import { roundTrips } from './roundtrip.mjs';
import { clockAttributes, foreignIn, open, table, types } from './toolbox/pokemon.mjs';

roundTrips('dynamodb-toolbox 2', { folder: 'toolbox', table, types, clockAttributes, foreignIn, open: open(library, library.item) });
