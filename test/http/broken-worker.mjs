/** A worker that does not even load. */
throw new Error('told not to load');
