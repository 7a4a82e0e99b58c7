tar -c .
